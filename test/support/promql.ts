import { parser } from '@prometheus-io/lezer-promql';

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

interface Matcher {
  label: string;
  operator: '=' | '!=' | '=~' | '!~';
  value: string;
}

/** `metric{label="value"}` in a query. */
export interface Selector {
  metric: string;
  matchers: Matcher[];
}

/** Tells the labels of a metric; throws for one that there is not. */
export type LabelsOf = (metric: string) => Iterable<string>;

/**
 * A PromQL query, read by Prometheus's own grammar.
 * @throws Error when it is none
 */
export class Query {
  readonly #text: string;
  readonly #top: SyntaxNode;

  constructor(text: string) {
    this.#text = text;
    const tree = parser.parse(text);
    tree.iterate({
      enter: ({ type, from }) => {
        if (type.isError) throw new Error(`not PromQL, at ${from}: ${text}`);
      },
    });
    const top = tree.topNode.firstChild;
    if (!top) throw new Error('an empty query');
    this.#top = top;
  }

  selectors(): Selector[] {
    return this.#selectorsIn(this.#top);
  }

  /**
   * The labels that the result has.
   * @throws Error when the query groups or joins by a label that what it groups does not have
   */
  labels(labelsOf: LabelsOf): Set<string> {
    return this.#labels(this.#top, labelsOf);
  }

  #labels(node: SyntaxNode, labelsOf: LabelsOf): Set<string> {
    const inner = () => union(childrenOf(node).map((child) => this.#labels(child, labelsOf)));
    switch (node.name) {
      case 'VectorSelector':
        return new Set(labelsOf(this.#selector(node).metric));
      case 'AggregateExpr':
        return this.#aggregated(node, labelsOf);
      case 'BinaryExpr':
        return this.#joined(node, labelsOf);
      case 'FunctionCall':
        return this.#called(node, inner);
      default:
        return inner();
    }
  }

  #aggregated(node: SyntaxNode, labelsOf: LabelsOf): Set<string> {
    const [body] = node.getChildren('FunctionCallBody');
    const given = body ? this.#labels(body, labelsOf) : new Set<string>();
    const modifier = node.getChild('AggregateModifier');
    const grouping = modifier ? this.#grouping(modifier, given) : [];
    if (modifier?.getChild('Without'))
      return new Set([...given].filter((label) => !grouping.includes(label)));
    const operator = node.getChild('AggregateOp');
    const picks = operator?.getChild('Topk') ?? operator?.getChild('Bottomk');
    return picks ? given : new Set(grouping);
  }

  // A comparison or an operator keeps the labels of its left side; `or` may give either side's.
  #joined(node: SyntaxNode, labelsOf: LabelsOf): Set<string> {
    const [left, right] = childrenOf(node)
      .filter(({ name }) => name.endsWith('Expr') || operands.has(name))
      .map((side) => this.#labels(side, labelsOf));
    const both = union([left ?? new Set(), right ?? new Set()]);
    const modifier = node.getChild('MatchingModifierClause');
    if (modifier) this.#grouping(modifier, both);
    return node.getChild('Or') || !left?.size ? both : left;
  }

  #called(node: SyntaxNode, inner: () => Set<string>): Set<string> {
    const name = this.#textOf(node.getChild('FunctionIdentifier'));
    const labels = inner();
    if (name === 'histogram_quantile') {
      if (!labels.delete('le')) throw new Error(`histogram_quantile of what has no le: ${this.#text}`);
      return labels;
    }
    if (name !== 'absent') return labels;
    const equal = this.#selectorsIn(node).flatMap(({ matchers }) =>
      matchers.filter(({ operator }) => operator === '='),
    );
    return new Set(equal.map(({ label }) => label));
  }

  #selectorsIn(node: SyntaxNode): Selector[] {
    return node.name === 'VectorSelector'
      ? [this.#selector(node)]
      : childrenOf(node).flatMap((child) => this.#selectorsIn(child));
  }

  #grouping(modifier: SyntaxNode, given: Set<string>): string[] {
    const labels = modifier.getChildren('GroupingLabels').flatMap((each) => each.getChildren('LabelName'));
    const names = labels.map((label) => this.#textOf(label));
    const strange = names.find((name) => !given.has(name));
    if (strange !== undefined) throw new Error(`nothing there has the label ${strange}: ${this.#text}`);
    return names;
  }

  #selector(node: SyntaxNode): Selector {
    const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
    return {
      metric: this.#textOf(node.getChild('Identifier')),
      matchers: matchers.map((matcher) => ({
        label: this.#textOf(matcher.getChild('LabelName')),
        operator: this.#textOf(matcher.getChild('MatchOp')) as Matcher['operator'],
        value: this.#textOf(matcher.getChild('StringLiteral')).slice(1, -1),
      })),
    };
  }

  #textOf(node: SyntaxNode | null): string {
    return node ? this.#text.slice(node.from, node.to) : '';
  }
}

const operands = new Set(['VectorSelector', 'MatrixSelector', 'FunctionCall', 'NumberDurationLiteral']);

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

const union = (sets: Set<string>[]): Set<string> => new Set(sets.flatMap((set) => [...set]));
