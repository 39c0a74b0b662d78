// Node with a script that is a module, and an import by the package's own name.
import { createInterface } from "node:readline";
import pick from "pick-one";

let legal = [];
createInterface({ input: process.stdin }).on("line", (line) => {
  const [verb, ...words] = line.split(" ");
  if (verb === "ugi") console.log("feature legal\nugiok");
  else if (verb === "isready") console.log("readyok");
  else if (verb === "legal") legal = words;
  else if (verb === "go") console.log("bestmove " + pick(legal));
  else if (verb === "quit") process.exit();
});
