export { OrchestratorModule } from './orchestrator.module.js';
export { EVENT_TYPES, openStore, ORCHESTRATION, UPCASTERS } from './rules.js';
