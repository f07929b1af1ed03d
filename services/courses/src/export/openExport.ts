import type { ServiceSecret } from '@gradeway/shared/config/serviceKeys';
import type { ProcessContext } from '@gradeway/shared/process/runProcess';
import { connectSubmissions } from './clients/submissionsClient.ts';
import type { ExportDependencies } from './dependencies.ts';

interface Config {
  homeworkGrpc: string;
  quizGrpc: string;
  serviceSecret: ServiceSecret;
}

/** Connects to the services that store submissions. */
export function openExport({ config, onStop }: ProcessContext<Config>): ExportDependencies {
  const addresses = { homework: config.homeworkGrpc, quiz: config.quizGrpc };
  const submissions = connectSubmissions({ addresses, secret: config.serviceSecret });
  onStop('the connections to homework and quiz', () => submissions.close());
  return { submissions };
}
