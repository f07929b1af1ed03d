import { readFileSync } from 'node:fs';
import { processes } from './processes.ts';

const ports = { http: 8080, grpc: 9090, postgres: 5432, rabbitmq: 5672, valkey: 6379 };

/**
 * The connections in the diagram of ARCHITECTURE.md, as `quiz → courses 9090`. Solid arrows are HTTP, dotted gRPC, double
 * events; a line without an arrow leads to the store of a process.
 */
export function drawnArrows(): Set<string> {
  return new Set(linesOfDiagram().flatMap(arrowsOf));
}

/** The RPCs on the dotted arrows of the diagram, as `quiz → courses CheckAccess`. */
export function drawnCalls(): Set<string> {
  return new Set(
    linesOfDiagram().flatMap((line) => {
      const [, from = '', label = '', to = ''] = /^\s*(.+?) -\. (.+?) \.-> (.+)$/.exec(line) ?? [];
      const methods = label.match(/\b[A-Z][a-z]\w+/g) ?? [];
      return namesIn(from).flatMap((caller) =>
        namesIn(to).flatMap((callee) => methods.map((method) => `${caller} → ${callee} ${method}`)),
      );
    }),
  );
}

function linesOfDiagram(): string[] {
  const text = readFileSync(new URL('../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const diagram = /```mermaid\nflowchart[^\n]*\n([\s\S]*?)```/.exec(text)?.[1] ?? '';
  return diagram.split('\n');
}

function arrowsOf(line: string): string[] {
  const [, from = '', arrow = '', to = ''] = /^\s*(.+?) (-->|-\.|==>|---) ?(.+)$/.exec(line) ?? [];
  const label = /^\|([^|]*)\|/.exec(to)?.[1] ?? /^(.*)\.->/.exec(to)?.[1] ?? '';
  const target = to.replace(/^\|[^|]*\|/, '').replace(/^.*\.->/, '');
  const all = (port: number, receivers = namesIn(target)) =>
    namesIn(from).flatMap((sender) => receivers.map((receiver) => `${sender} → ${receiver} ${port}`));
  switch (arrow) {
    case '-->':
      return all(ports.http);
    case '-.':
      // The key set is fetched over HTTP, everything else from auth over gRPC.
      return [...all(ports.grpc), ...(label.includes('JWKS') ? all(ports.http) : [])];
    case '==>':
      // Consumers also open a connection to the broker.
      return [...namesIn(from), ...namesIn(target)].map((name) => `${name} → rabbitmq ${ports.rabbitmq}`);
    case '---':
      if (target.includes('Valkey')) return all(ports.valkey, ['valkey']);
      return target.includes('schema') ? all(ports.postgres, ['postgres']) : [];
    default:
      return [];
  }
}

const namesIn = (text: string): string[] =>
  text.split(/[\s&]+/).filter((word) => (processes as readonly string[]).includes(word));
