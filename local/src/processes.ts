import type { LocalConfig } from './config.ts';
import type { Secrets } from './secrets.ts';

export const processNames = ['auth', 'courses', 'homework', 'quiz', 'gateway'] as const;

export type ProcessName = (typeof processNames)[number];

export interface Ports {
  port: number;
  grpcPort: number | null;
  adminPort: number;
}

/** One set of processes with their data, as `npm start` runs them. */
export interface Installation {
  config: LocalConfig;
  directory: string;
  secrets: Secrets;
  ports: Record<ProcessName, Ports>;
  /** The URL of a superuser. */
  adminUrl: string;
  database: string;
}

/** The folder of a process in the repository. */
export const folderOf = (name: ProcessName): string => (name === 'gateway' ? 'gateway' : `services/${name}`);
