// @ts-check
/**
 * What the page is given: the twin of `data.rs`.
 *
 * @typedef {object} Film
 * @property {number} v
 * @property {string} id
 * @property {string | null} league
 * @property {string} game
 * @property {string} title
 * @property {string} options
 * @property {string[]} sides        who plays against whom: bots, or teams
 * @property {Player[]} seats
 * @property {string | null} time_control
 * @property {number | null} margin_ms
 * @property {string | null} started
 * @property {Cell[]} cells          every cell that occurs; boards name them by index
 * @property {Frame[]} frames
 * @property {string} verdict
 * @property {FaultNote[]} faults
 * @property {string[]} transcript
 * @property {string | null} broken
 *
 * @typedef {object} Player
 * @property {string} name
 * @property {string | null} team
 * @property {string | null} version
 * @property {string} [time_control]  its own, if it has one
 * @property {number} side
 * @property {string | null} symbol
 * @property {number | null} place
 *
 * @typedef {object} Frame
 * @property {string} token
 * @property {number | null} to_move  a seat, from 1
 * @property {Played | null} played
 * @property {number[] | null} clocks_ms
 * @property {Board[]} boards
 * @property {Mark[]} marks
 * @property {string[]} captions
 *
 * @typedef {object} Played
 * @property {number} seat            from 1
 * @property {string} text
 * @property {"opening" | "move" | "out"} kind
 * @property {number | null} time_us
 * @property {Said | null} said
 * @property {Remark} [remark]        what an analysis says of the move
 *
 * @typedef {object} Remark
 * @property {string} sign
 * @property {string} text
 *
 * @typedef {object} Said
 * @property {number} [depth]
 * @property {number} [score_cp]
 * @property {number} [nodes]
 * @property {string[]} [pv]
 * @property {string} [text]
 * @property {number} [time_ms]       by the bot's own clock
 *
 * @typedef {object} Board
 * @property {string | null} title
 * @property {number} width
 * @property {number} height
 * @property {number[]} cells         rank by rank from a1: indices into the film's cells
 * @property {"hexagons"} [shape]     squares if it is missing
 * @property {Edge[]} [edges]         edges of the board that belong to a side
 *
 * @typedef {object} Edge
 * @property {Direction} at
 * @property {number} side
 *
 * @typedef {object} Cell
 * @property {string | null} fill
 * @property {Piece | null} piece
 * @property {number} [group]         0 if it is missing; a thick border separates groups
 *
 * @typedef {object} Piece
 * @property {string} symbol
 * @property {number} side
 * @property {string | null} tint
 * @property {{kind: "dot" | "joint", direction: Direction} | null} pointer
 * @property {number | null} level
 *
 * @typedef {"north" | "east" | "south" | "west"} Direction
 *
 * @typedef {object} Mark
 * @property {"from" | "to" | "line"} kind
 * @property {number} board
 * @property {number[]} squares       indices into the board's cells
 *
 * @typedef {object} FaultNote
 * @property {number | null} seat
 * @property {string} sentence
 * @property {string} [hint]          what is probably wrong, and the cure
 * @property {string[]} legal
 * @property {string[]} stray_lines
 * @property {string[]} stderr_tail
 */
export {};
