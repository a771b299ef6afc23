/** `node tools/certificate.mjs [folder]`: creates the development certificate for localhost. */
import { runTool } from './infra/main.mjs';
import { say } from './infra/say.mjs';
import { ensureCertificate } from './infra/tls.mjs';

await runTool(async () => {
  const { certFile } = await ensureCertificate(process.argv[2]);
  say(certFile);
  return 0;
});
