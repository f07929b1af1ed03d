import type { Secrets } from './secrets.ts';

export interface DemoAccount {
  who: string;
  email: string;
  password: string;
}

interface Options {
  baseUrl: string;
  secrets: Secrets;
  say(line: string): void;
}

export async function loadDemoSchool(_options: Options): Promise<DemoAccount[]> {
  return [];
}
