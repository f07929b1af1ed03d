import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { type QuizService, startQuizService } from '../../services/quiz/test/quizService.ts';

export interface QuizThroughGateway {
  quiz: QuizService;
  gateway: ServiceProcess;
  close(): Promise<void>;
}

/** Starts quiz and a gateway in front of it, each as a process with these additional environment variables. */
export async function startQuizThroughGateway(env: Record<string, string> = {}): Promise<QuizThroughGateway> {
  const quiz = await startQuizService(env);
  const { database, peers, tokens, service } = quiz;
  const { url } = service;
  const addresses = { AUTH_URL: url, COURSES_URL: url, HOMEWORK_URL: url, QUIZ_URL: url };
  const settings = { database, peers, tokens, env: { ...addresses, ...env } };
  const gateway = await startService({ service: 'gateway', ...settings }).catch(async (error: unknown) => {
    await quiz.close();
    throw error;
  });
  return {
    quiz,
    gateway,
    async close() {
      await gateway.stop();
      await quiz.close();
    },
  };
}
