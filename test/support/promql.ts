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

export interface Query {
  selectors: Selector[];
  /** The labels of every `by (…)` and `on (…)`. */
  groupingLabels: string[];
  functions: string[];
  /** Whether it aggregates, so that the result has only the labels of `by (…)`. */
  isAggregated: boolean;
}

/**
 * The names that a PromQL query uses, from the syntax tree of Prometheus's own grammar. It evaluates nothing: the alerts
 * are evaluated by test/thirdParty/promtool.
 * @throws Error for a syntax error
 */
export function readQuery(text: string): Query {
  const textOf = (node: SyntaxNode | null) => (node ? text.slice(node.from, node.to) : '');
  const query: Query = { selectors: [], groupingLabels: [], functions: [], isAggregated: false };
  parser.parse(text).iterate({
    enter({ type, from, node }) {
      if (type.isError) throw new Error(`not PromQL, at ${from}: ${text}`);
      if (type.name === 'VectorSelector') query.selectors.push(readSelector(node, textOf));
      if (type.name === 'GroupingLabels')
        query.groupingLabels.push(...node.getChildren('LabelName').map(textOf));
      if (type.name === 'FunctionIdentifier') query.functions.push(textOf(node));
      if (type.name === 'AggregateExpr') query.isAggregated = true;
    },
  });
  return query;
}

function readSelector(node: SyntaxNode, textOf: (node: SyntaxNode | null) => string): Selector {
  const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
  return {
    metric: textOf(node.getChild('Identifier')),
    matchers: matchers.map((matcher) => ({
      label: textOf(matcher.getChild('LabelName')),
      operator: textOf(matcher.getChild('MatchOp')) as Matcher['operator'],
      value: textOf(matcher.getChild('StringLiteral')).slice(1, -1),
    })),
  };
}
