import { z } from 'zod';

const restoreCheck = z.object({
  /** The name of the backup. */
  backup: z.string(),
  finishedAt: z.iso.datetime(),
  ok: z.boolean(),
  /** What was restored; undefined after a failure. The cause of a failure may contain values of rows, so it is only printed. */
  restored: z.object({ rows: z.number(), files: z.number(), bytes: z.number() }).optional(),
});

/** The result of a restore check, as it is stored in the bucket. */
export type RestoreCheck = z.infer<typeof restoreCheck>;

/** @throws Error when it is damaged */
export const parseRestoreCheck = (content: string): RestoreCheck => restoreCheck.parse(JSON.parse(content));
