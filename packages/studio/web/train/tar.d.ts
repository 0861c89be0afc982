/** Files in one file, as `tar xf` reads it. Names are short and plain. */
export declare function tarOf(files: ReadonlyMap<string, Uint8Array>): Uint8Array<ArrayBuffer>;
/** Whether bytes are such a file. */
export declare const isTar: (bytes: Uint8Array) => boolean;
/** The files in one file, by the last parts of their names. */
export declare function untarred(bytes: Uint8Array): Map<string, Uint8Array>;
//# sourceMappingURL=tar.d.ts.map
