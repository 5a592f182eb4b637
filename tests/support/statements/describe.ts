import type { Connection, FieldDef, PoolClient, Submittable } from 'pg';

/** A column that a statement answers. `isNullable` undefined for what is no column of a table. */
export type Described = Readonly<{ name: string; oid: number; isNullable: boolean | undefined }>;

/** Has Postgres read a statement, and answers the columns that it would have. It is not run. */
class Describing implements Submittable {
  readonly #described = Promise.withResolvers<FieldDef[]>();
  readonly fields = this.#described.promise;
  readonly #text: string;
  #columns: FieldDef[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  submit(connection: Connection): void {
    connection.parse({ text: this.#text, name: '', types: [] }, true);
    connection.describe({ type: 'S', name: '' }, true);
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#columns = fields;
  }

  handleError(error: Error): void {
    this.#described.reject(error);
  }

  handleReadyForQuery(): void {
    this.#described.resolve(this.#columns);
  }
}

export type Describe = (text: string) => Promise<Described[]>;

/** Throws what Postgres has against a statement. */
export async function createDescribe(client: PoolClient): Promise<Describe> {
  const { rows } = await client.query<{ column: string; isNullable: boolean }>(
    `select attrelid || ' ' || attnum as column, not attnotnull as "isNullable" from pg_attribute join pg_class on pg_class.oid = attrelid
     where attnum > 0 and relkind in ('r', 'p')`,
  );
  const nullable = new Map(rows.map(({ column, isNullable }) => [column, isNullable]));
  return async (text) => {
    const fields = await client.query(new Describing(text)).fields;
    return fields.map(({ name, dataTypeID: oid, tableID, columnID }) => ({
      name,
      oid,
      isNullable: nullable.get(`${tableID} ${columnID}`),
    }));
  };
}
