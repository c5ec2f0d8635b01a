import { expressionOf, nameOf } from "./expression"
import { cursor, isText, refuse, type Token } from "./tokens"

/**
 * A trigger that refuses a change with a message, as a function and a trigger. A condition is inside the function,
 * because WHEN cannot have a query in PostgreSQL.
 */
export function triggerOf(statement: readonly Token[]): string {
  const read = cursor(statement)
  read.expect("CREATE", "TRIGGER")
  const name = nameOf(read.name())
  read.expect("BEFORE")
  const event = read.next()
  if (!["INSERT", "UPDATE", "DELETE"].includes(event.text)) refuse(event, "unknown event of a trigger")
  read.expect("ON")
  const table = nameOf(read.name())
  const condition = read.takes("WHEN") ? conditionOf(read.next, statement) : null
  if (condition === null) read.expect("BEGIN")
  read.expect("SELECT", "RAISE", "(", "ABORT", ",")
  const message = read.next()
  if (message.kind !== "string") refuse(message, "expected a message")
  read.expect(")", ";", "END")
  if (!read.isAtEnd()) refuse(read.peek(), "unknown part of a trigger")
  const raise = `RAISE EXCEPTION USING MESSAGE = ${message.text}, ERRCODE = 'integrity_constraint_violation';`
  const body =
    condition === null
      ? `  ${raise}`
      : `  IF ${condition} THEN\n    ${raise}\n  END IF;\n  RETURN ${event.text === "DELETE" ? "OLD" : "NEW"};`
  // TRUNCATE would delete rows without a trigger for DELETE.
  const truncate =
    event.text === "DELETE" && condition === null
      ? `\nCREATE TRIGGER ${name}_at_once BEFORE TRUNCATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION ${name}();`
      : ""
  return `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
${body}
END
$$;
CREATE TRIGGER ${name} BEFORE ${event.text} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}();${truncate}`
}

/** The condition between WHEN and BEGIN. Takes BEGIN as well. */
function conditionOf(next: () => Token, statement: readonly Token[]): string {
  const tokens: Token[] = []
  for (let token = next(); token.text !== "BEGIN"; token = next()) tokens.push(token)
  if (tokens.length === 0) refuse(statement[0], "a trigger without a condition")
  return separateExists(tokens) ?? expressionOf(tokens)
}

/**
 * EXISTS of `a OR b` as EXISTS of `a` or EXISTS of `b`. A function keeps the plan of its first call, when the table is
 * empty, and with OR that is a scan of the whole table.
 */
function separateExists(tokens: readonly Token[]): string | null {
  const read = cursor(tokens)
  if (!read.takes("EXISTS")) return null
  const query = read.inside()
  const where = query.findIndex((token) => isText(token, "WHERE"))
  if (!read.isAtEnd() || where < 0 || query.some((token) => ["(", "AND"].some((text) => isText(token, text))))
    return null
  const from = expressionOf(query.slice(0, where))
  return alternativesOf(query.slice(where + 1))
    .map((condition) => `EXISTS (${from} WHERE ${expressionOf(condition)})`)
    .join("\n    OR ")
}

function alternativesOf(condition: readonly Token[]): Token[][] {
  const parts: Token[][] = [[]]
  for (const token of condition) {
    if (isText(token, "OR")) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}
