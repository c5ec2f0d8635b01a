declare module "@20minutes/s3rver" {
  export default class S3rver {
    constructor(options: {
      directory: string | undefined
      port: number
      address: string
      silent: boolean
      vhostBuckets: boolean
      configureBuckets: { name: string }[]
    })
    middleware: ((context: never, next: () => Promise<void>) => unknown)[]
    run(): Promise<{ port: number }>
  }
}
