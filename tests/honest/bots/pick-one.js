// A package that bots find in `node_modules`.
module.exports = (moves) => moves[moves.length >> 1];
