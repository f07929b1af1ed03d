import { z } from 'zod';
import { nullable } from '../http/validation.ts';

/** A PDF is uploaded as a file part. As a text field, it may only be empty, which removes a stored PDF. */
export const pdfTextField = () =>
  nullable(z.custom<never>(() => false, { error: 'The file must be a valid PDF.' }));
