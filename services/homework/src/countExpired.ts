import { countExpired } from '@gradeway/shared/retention/countExpired';
import { settings } from './config.ts';
import { retentionQueries } from './data/retentionQueries.ts';

await countExpired('homework', settings, retentionQueries);
