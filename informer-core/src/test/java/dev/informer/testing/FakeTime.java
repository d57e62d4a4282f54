package dev.informer.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

import dev.informer.TimeSource;

/**
 * A time that goes on only when somebody waits for it ({@link #leaping()}) or when the
 * test says so ({@link #standing()}).
 */
public final class FakeTime implements TimeSource {

	private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

	private final AtomicLong nanos = new AtomicLong();

	private final List<Duration> waits = new CopyOnWriteArrayList<>();

	private final boolean leaping;

	private FakeTime(boolean leaping) {
		this.leaping = leaping;
	}

	public static FakeTime leaping() {
		return new FakeTime(true);
	}

	public static FakeTime standing() {
		return new FakeTime(false);
	}

	public void advance(Duration duration) {
		this.nanos.addAndGet(duration.toNanos());
	}

	/**
	 * What was waited for so far.
	 */
	public List<Duration> waits() {
		return List.copyOf(this.waits);
	}

	@Override
	public Instant now() {
		return START.plusNanos(this.nanos.get());
	}

	@Override
	public long nanoTime() {
		return this.nanos.get();
	}

	@Override
	public void await(Condition condition, long duration) throws InterruptedException {
		if (this.leaping) {
			this.waits.add(Duration.ofNanos(duration));
			this.nanos.addAndGet(duration);
		}
		else {
			// returning early is allowed: the caller looks at the clock again
			condition.await(1, TimeUnit.MILLISECONDS);
		}
	}

}
