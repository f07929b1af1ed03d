import { flag } from '@gradeway/shared/http/validation';
import { z } from 'zod';

export const archiveQuery = z.object({ annotated: flag.default(false), bom: flag.default(false) });
