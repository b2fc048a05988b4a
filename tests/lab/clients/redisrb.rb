# redisrb.rb - redis-rb 4 with its cluster, and Ruby's own Logger.  What the
# programs here have in common: redispy.py.
require 'logger'
require 'redis'
require 'time'

PROBES = [6, 13, 17, 22, 26, 31].map { |n| "probe:1:#{n}" }
$stdout.sync = true
log = Logger.new($stdout)
raised = File.open(ENV['LAB_RAISED'], 'a')
raised.sync = true
stopped = false
trap('TERM') { stopped = true }

def now
  Time.now.utc.iso8601(3)
end

log.info("redis-rb #{Redis::VERSION}")
redis = Redis.new(cluster: ARGV.map { |a| "redis://#{a}" }, timeout: 1, reconnect_attempts: 1)
redis.get('cart:0')
raised.puts('ready')
until stopped
  sleep(1.0 / (ENV['LAB_RATE'] || 15).to_f)
  probe = rand(2).zero?
  key = probe ? PROBES.sample : "cart:#{rand(150)}"
  began = now
  begin
    probe ? redis.get(key) : redis.set(key, began)
  rescue Redis::BaseError => e
    at = now
    log.error("command on #{key} failed: #{e.message} (#{e.class})")
    raised.puts([began, at, now, key, "#{e.class}: #{e.message}".split.join(' ')].join("\t"))
  end
end
