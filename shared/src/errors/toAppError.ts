import { AppError } from './appError.ts';

/** Recognizes the errors of one library. Returns undefined for any other error. */
export type ErrorTranslator = (error: unknown) => AppError | undefined;

const translators = new Set<ErrorTranslator>();

/**
 * Adds a translator for all later calls of {@link toAppError}. Each library registers its translator on first use, so
 * that a process without a database does not load Sequelize just to recognize its errors.
 */
export function registerErrorTranslator(translate: ErrorTranslator): void {
  translators.add(translate);
}

/** Converts any thrown value to the error that a caller may see. Unrecognized errors become `internal`. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  for (const translate of translators) {
    const translated = translate(error);
    if (translated) return translated;
  }
  return new AppError('internal', 'Server Error', { cause: error });
}
