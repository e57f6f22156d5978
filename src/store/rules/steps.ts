// How a rule runs on both stores: it is a generator that yields each promise it has to wait for. SQLite answers at once,
// so there a rule runs to its end without yielding; PostgreSQL's answers are awaited one after the other.

export type Steps<Result> = Generator<Promise<unknown>, Result, unknown>;

/** Runs a rule on a store that answers at once. */
export function runNow<Result>(steps: Steps<Result>): Result {
  const { done, value } = steps.next();
  if (done !== true) throw new Error('a rule had to wait for a store that answers at once');
  return value;
}

/** Runs a rule on a store that answers later. */
export async function runAwaited<Result>(steps: Steps<Result>): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = await step.value;
    } catch (error) {
      // Inside the rule, where it may be caught.
      step = steps.throw(error);
      continue;
    }
    step = steps.next(answer);
  }
  return step.value;
}

/** A store's statement: a function of the transaction and up to two arguments. */
type Statement<Tx> = (tx: Tx, ...values: never[]) => unknown;

/** The same statements as rules call them: without the transaction, and as steps. */
export type Bound<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (tx: never, ...values: infer Values) => infer Answer
    ? (...values: Values) => Steps<Awaited<Answer>>
    : never;
};

export function bindStatements<Tx, Functions extends Record<string, Statement<Tx>>>(
  tx: Tx,
  functions: Functions,
): Bound<Functions> {
  const bound: Record<string, unknown> = {};
  for (const name of Object.keys(functions)) {
    // Made from the same list of names.
    const run = functions[name] as (tx: Tx, ...values: unknown[]) => unknown;
    bound[name] = function* (...values: unknown[]): Steps<unknown> {
      const answer = run(tx, ...values);
      return answer instanceof Promise ? yield answer : answer;
    };
  }
  return bound as Bound<Functions>;
}
