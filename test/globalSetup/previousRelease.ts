import type { TestProject } from 'vitest/node';
import { buildPreviousRelease, type Release } from '../support/previousRelease.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The release that the present version replaces; undefined before the first release. */
    previousRelease: Release | undefined;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  project.provide('previousRelease', await buildPreviousRelease());
}
