import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { parse, parseAllDocuments } from 'yaml';
import { findKustomize } from './kustomize.ts';
import type { Manifest } from './manifests.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The rendered objects of each kustomization in k8s/, by folder. */
    manifests: Record<string, Manifest[]>;
  }
}

const root = fileURLToPath(new URL('../../k8s/', import.meta.url));

/** Renders every kustomization that can be applied, which excludes components. */
export default async function setup(project: TestProject): Promise<void> {
  const kustomize = await findKustomize();
  const files = (await readdir(root, { recursive: true })).filter((each) =>
    each.endsWith('/kustomization.yaml'),
  );
  const rendered: Record<string, Manifest[]> = {};
  for (const file of files.toSorted()) {
    if (parse(await readFile(join(root, file), 'utf8')).kind === 'Component') continue;
    const folder = dirname(file);
    const yaml = await kustomize(join(root, folder)).catch((error) => {
      throw new Error(`k8s/${folder} cannot be built: ${error.message}`);
    });
    rendered[folder] = parseAllDocuments(yaml).map((document) => document.toJS());
  }
  project.provide('manifests', rendered);
}
