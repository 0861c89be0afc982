export { type JavaScriptLimits, javascript, type Program } from "./javascript.ts";
export { type Document, type JsonSchemaLimits, jsonSchema } from "./json-schema.ts";
export { type LinearProgramLimits, linearProgram, type Solution } from "./linear-program.ts";
export { type PythonLimits, type PythonResult, python } from "./python.ts";
export type { Cell, Query, Table } from "./query.ts";
export type { Sandbox, SandboxLimits, SandboxOutcome, Status } from "./sandbox.ts";
export { type SqlLimits, sql } from "./sql.ts";
