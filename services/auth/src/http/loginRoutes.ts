import { AppError } from '@gradeway/shared/errors/appError';
import { errorCodeHeader } from '@gradeway/shared/errors/errorCodes';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { parseInput } from '@gradeway/shared/http/validation';
import { type ErrorRequestHandler, type Response, Router } from 'express';
import { auditLogin } from '../domain/auditLogin.ts';
import { DeviceLimitReached } from '../domain/deviceLimits.ts';
import { logInWithCode } from '../domain/logInWithCode.ts';
import { logInWithPassword } from '../domain/logInWithPassword.ts';
import { SecondFactorRequired } from '../domain/loginErrors.ts';
import type { LoginResult } from '../domain/openSession.ts';
import { sendLoginCode } from '../domain/sendLoginCode.ts';
import type { Dependencies } from './dependencies.ts';
import { countLogin } from './loginMetrics.ts';
import { createLoginRequestParsers } from './loginRequestParsers.ts';
import { codeRequestFields } from './schemas.ts';
import { loginView } from './serializers.ts';

/** Public routes: the login of specification 1 and the login with a one-time code (D16). */
export function loginRoutes(dependencies: Dependencies): Router {
  const router = Router();
  const { parsePasswordLogin, parseCodeLogin } = createLoginRequestParsers(dependencies.devicePolicy.limits);

  router.post('/api/v3/login', jsonBody, async (req, res) => {
    const { client, ...credentials } = parsePasswordLogin(req);
    const logIn = () => logInWithPassword(dependencies, credentials, client);
    const audited = () => auditLogin(dependencies, credentials.email, logIn);
    sendLogin(res, await countLogin('password', audited));
  });

  router.post('/api/v3/login/otp', jsonBody, async (req, res) => {
    const { email } = parseInput(codeRequestFields, req.body);
    await sendLoginCode(dependencies, email);
    res.json({ status: true, message: 'If the account exists, a code has been sent.' });
  });

  router.post('/api/v3/login/otp/verify', jsonBody, async (req, res) => {
    const { client, ...credentials } = parseCodeLogin(req);
    const logIn = () => logInWithCode(dependencies, credentials, client);
    const audited = () => auditLogin(dependencies, credentials.email, logIn);
    sendLogin(res, await countLogin('code', audited));
  });

  router.use(nameReachedLimit, nameMissingFactor, sendFirstMessageOnly);
  return router;
}

function sendLogin(res: Response, login: LoginResult): void {
  if (login.generatedDeviceToken) res.set('device_token', login.generatedDeviceToken);
  res.json(loginView(login));
}

// If a device limit refuses a login, a header names the limit (D10).
const nameReachedLimit: ErrorRequestHandler = (error, _req, res, next) => {
  if (error instanceof DeviceLimitReached) res.set('device_limit', error.limit);
  next(error);
};

// Lets clients distinguish a missing second factor from wrong credentials. The gateway does not count it as a failure.
const nameMissingFactor: ErrorRequestHandler = (error, _req, res, next) => {
  if (error instanceof SecondFactorRequired) res.set('second_factor', 'required');
  next(error);
};

// For invalid input, the login endpoints respond with the first message only (D2).
const sendFirstMessageOnly: ErrorRequestHandler = (error, _req, res, next) => {
  const messages = error instanceof AppError && error.code === 'invalid' ? error.fields : null;
  const [message] = Object.values(messages ?? {}).flat();
  if (message === undefined) next(error);
  else res.status(422).set(errorCodeHeader, 'invalid').json({ message });
};
