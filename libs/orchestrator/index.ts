export { OrchestratorModule } from './orchestrator.module.js';
export { openStore, ORCHESTRATION, UPCASTERS } from './rules.js';
