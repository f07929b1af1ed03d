import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

interface Budget {
  name: string;
  /** The chunks of these modules must fit into the budget, together with the entry and all static imports. */
  modules: string[];
  /** Size of the gzipped JavaScript; 1 kB is 1,000 bytes. */
  kilobytes: number;
}

interface Chunk {
  facadeModuleId: string | null;
  imports: string[];
  isEntry: boolean;
  code: string;
}

/** Prints how much JavaScript each page loads, and fails the build if a page exceeds its budget. */
export function bundleBudget(budgets: Budget[]): Plugin {
  return {
    name: 'bundle-budget',
    apply: 'build',
    writeBundle(_options, bundle) {
      const chunks = new Map<string, Chunk>();
      for (const output of Object.values(bundle))
        if (output.type === 'chunk') chunks.set(output.fileName, output);
      const entries = [...chunks].filter(([, { isEntry }]) => isEntry).map(([file]) => file);
      for (const { name, modules, kilobytes } of budgets) {
        const own = modules.map((module) => {
          const [file] = [...chunks].find(([, chunk]) => chunk.facadeModuleId?.endsWith(module)) ?? [];
          return file ?? this.error(`the budget "${name}" is for ${module}, which has no chunk`);
        });
        const files = withImports([...entries, ...own], chunks);
        const size =
          files.reduce((sum, file) => sum + gzipSync(chunks.get(file)?.code ?? '').length, 0) / 1000;
        const line = `${name}: ${size.toFixed(1)} kB of ${kilobytes} kB`;
        if (size > kilobytes) this.error(`too much JavaScript, ${line}`);
        this.info(line);
      }
    },
  };
}

/** Returns the files and their static imports. */
function withImports(files: string[], chunks: Map<string, Chunk>): string[] {
  const found = new Set<string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    waiting.push(...(chunks.get(file)?.imports ?? []));
  }
  return [...found];
}
