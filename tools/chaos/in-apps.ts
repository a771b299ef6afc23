/**
 * Node imports this module before the program of a process under test. It makes saga reactions
 * fail, lets the run kill the process at the kill points, and names the process's sessions.
 */
import './named-sessions.js';
import './failing-reactions.js';
import './killed-at-points.js';
