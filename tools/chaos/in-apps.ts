/**
 * Node imports this module before the program of a process under test. It makes saga reactions
 * fail, and lets the run kill the process at the kill points.
 */
import './failing-reactions.js';
import './killed-at-points.js';
