import type { FieldNames, RunListing } from "@reins/studio/wire";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { get } from "../../api.ts";
import { usePoll } from "../../use-poll.ts";
import { askedFields, resolveQuery } from "./fields.ts";
import { checkValues } from "./filter.ts";
import { parseQuery, type Query } from "./query.ts";

/** A query as it was typed, with its fields resolved and its values checked. */
const queryIn = (text: string, names: FieldNames | undefined): Query =>
  checkValues(resolveQuery(parseQuery(text), names));

/** The runs with the fields that a query and some columns need, kept up to date. */
export function useRuns(find: string, columns: readonly string[]) {
  const [names, setNames] = useState<FieldNames>();
  const query = useMemo(() => queryIn(find, names), [find, names]);
  const fields = askedFields([...query.terms.map(({ field }) => field), ...columns]);
  const asked = fields.map((name) => `field=${encodeURIComponent(name)}`).join("&");
  const { value, error, again } = usePoll(
    () => get<RunListing>(asked ? `runs?${asked}` : "runs"),
    asked,
    (v) => (v?.waiting ? 200 : 2000),
  );
  // The last list is shown while other fields load.
  const last = useRef<RunListing>(undefined);
  last.current = value ?? last.current;
  const count = last.current && last.current.runs.length + last.current.waiting;
  useEffect(() => {
    if (count !== undefined) get<FieldNames>("fields").then(setNames, () => {});
  }, [count, last.current?.waiting === 0]);
  return { listing: last.current, query, names, error, again };
}
