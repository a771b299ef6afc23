/**
 * Node imports this module before the program of a process under test: reactions of sagas then
 * fail, and the process can be killed at a point of its work.
 */
import './failing-reactions.js';
import './killed-at-points.js';
