// A server of S3-compatible storage, as a program of its own: bun s3-server.ts FOLDER PORT
import S3rver from "@20minutes/s3rver"

const [folder, port] = process.argv.slice(2)
const server = new S3rver({
  directory: folder,
  port: Number(port),
  address: "127.0.0.1",
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: "backups" }],
})

type Context = { path: string; state: { vhost: boolean }; mountPath?: string }

// When s3rver checks a signature, it drops the slash after the name of a bucket, which Bun signs as it sends it. With
// these two values it puts the slash back.
server.middleware.splice(-1, 0, (context: Context, next: () => Promise<void>) => {
  if (/^\/[^/]+\/$/.test(context.path)) {
    context.state.vhost = true
    context.mountPath = "/"
  }
  return next()
})

console.log((await server.run()).port)
