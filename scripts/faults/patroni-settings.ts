import { join } from "node:path"
import { owner } from "../../test/support/postgres"
import type { Node } from "../../test/support/postgres-node"
import { findPostgres } from "../postgres"

/** A server with the port of the HTTP API of its Patroni. */
export type Member = Node & { api: number }

type Options = { node: Member; folder: string; etcd: number; isSynchronous: boolean; isStrict: boolean }

/** In seconds. Patroni wants at least `loop_wait` + 2 · `retry_timeout` as `ttl`. */
const times = { ttl: 10, loop_wait: 1, retry_timeout: 3 }

/** The configuration of Patroni for one of the servers. JSON is YAML too. */
export function patroniSettings({ node, folder, etcd, isSynchronous, isStrict }: Options) {
  const here = (port: number) => `127.0.0.1:${port}`
  const api = { listen: here(node.api), connect_address: here(node.api) }
  return {
    scope: "shop",
    name: node.name,
    restapi: api,
    etcd3: { hosts: [here(etcd)] },
    bootstrap: {
      dcs: {
        ...times,
        synchronous_mode: isSynchronous,
        synchronous_mode_strict: isStrict,
        // A server that fails is replaced at once instead of started again.
        primary_start_timeout: 0,
        maximum_lag_on_failover: 2 ** 30,
        postgresql: { use_pg_rewind: true, parameters: sharedParameters },
      },
      initdb: [{ encoding: "UTF8" }, { locale: "C" }, "no-sync"],
    },
    postgresql: {
      listen: here(node.port),
      connect_address: here(node.port),
      data_dir: node.data,
      bin_dir: findPostgres(),
      pgpass: join(folder, `pgpass-${node.name}`),
      authentication: { superuser: { username: owner }, replication: { username: "replicator" } },
      pg_hba: [
        "local all all trust",
        "host all all 127.0.0.1/32 trust",
        "host replication all 127.0.0.1/32 trust",
      ],
      parameters: { unix_socket_directories: node.socket },
      remove_data_directory_on_rewind_failure: true,
    },
  }
}

const sharedParameters = {
  fsync: "off",
  shared_buffers: "128MB",
  max_connections: 30,
  max_wal_size: "512MB",
  dynamic_shared_memory_type: "mmap",
  lc_messages: "C",
}
