export interface Options { depth: number }
export declare function run(o: Options): Result;
declare const VERSION: string;
declare class Engine { start(): void }
