import { AppError } from '@gradeway/shared/errors/appError';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { parseInput } from '@gradeway/shared/http/validation';
import { type ErrorRequestHandler, type Response, Router } from 'express';
import { logInWithCode } from '../domain/logInWithCode.ts';
import { logIn } from '../domain/logInWithPassword.ts';
import type { OpenedSession } from '../domain/openSession.ts';
import { sendLoginCode } from '../domain/sendLoginCode.ts';
import type { Dependencies } from './dependencies.ts';
import { countLogin } from './loginMetrics.ts';
import { loginInput } from './parseLoginRequest.ts';
import { codeRequestFields } from './schemas.ts';
import { loginView } from './serializers.ts';

/** What anybody may do: specification 1, and logging in with a one-time code (D16). */
export function loginRoutes(dependencies: Dependencies): Router {
  const router = Router();
  const input = loginInput(dependencies.deviceRules.limits);

  router.post('/api/v3/login', jsonBody, async (req, res) => {
    const { email, password, client } = input.withPassword(req);
    answer(res, await countLogin('password', () => logIn(dependencies, { email, password }, client)));
  });

  router.post('/api/v3/login/otp', jsonBody, async (req, res) => {
    const { email } = parseInput(codeRequestFields, req.body);
    await sendLoginCode(dependencies, email);
    res.json({ status: true, message: 'If the account exists, a code has been sent.' });
  });

  router.post('/api/v3/login/otp/verify', jsonBody, async (req, res) => {
    const { email, code, client } = input.withCode(req);
    answer(res, await countLogin('code', () => logInWithCode(dependencies, { email, code }, client)));
  });

  router.use(answerWithMessageOnly);
  return router;
}

function answer(res: Response, opened: OpenedSession): void {
  if (opened.madeDeviceToken) res.set('device_token', opened.madeDeviceToken);
  res.json(loginView(opened));
}

// The first sentence is all that a login says of wrong input (D2).
const answerWithMessageOnly: ErrorRequestHandler = (error, _req, res, next) => {
  const sentences = error instanceof AppError && error.code === 'invalid' ? error.fields : null;
  const [message] = Object.values(sentences ?? {}).flat();
  if (message === undefined) next(error);
  else res.status(422).json({ message });
};
