// Runs a rule on both stores. A rule is a generator that yields each promise it has to wait for. SQLite is synchronous, so
// a rule runs to its end without yielding; on PostgreSQL each promise is awaited.

export type Steps<Result> = Generator<Promise<unknown>, Result, unknown>;

/** Runs a rule on a synchronous store. */
export function runNow<Result>(steps: Steps<Result>): Result {
  const { done, value } = steps.next();
  if (done !== true) throw new Error('a rule yielded a promise on a synchronous store');
  return value;
}

/** Runs a rule on an asynchronous store. */
export async function runAwaited<Result>(steps: Steps<Result>): Promise<Result> {
  let step = steps.next();
  while (step.done !== true) {
    let answer: unknown;
    try {
      answer = await step.value;
    } catch (error) {
      // Thrown inside the rule, which may catch it.
      step = steps.throw(error);
      continue;
    }
    step = steps.next(answer);
  }
  return step.value;
}

/** A store's statement: a function of the transaction and up to two arguments. */
type Statement<Tx> = (tx: Tx, ...values: never[]) => unknown;

/** The same statements as rules call them: without the transaction parameter, and as steps. */
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
    // Safe: the names are those of `functions`.
    const run = functions[name] as (tx: Tx, ...values: unknown[]) => unknown;
    bound[name] = function* (...values: unknown[]): Steps<unknown> {
      const answer = run(tx, ...values);
      return answer instanceof Promise ? yield answer : answer;
    };
  }
  return bound as Bound<Functions>;
}
