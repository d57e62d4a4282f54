package dev.informer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import dev.informer.HandlerRegistration;
import dev.informer.ResourceEvent;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;

/**
 * The meters of one handler. Thread-safe.
 */
class HandlerMeters {

	private final ConcurrentMap<Call, Timer> calls = new ConcurrentHashMap<>();

	private final ConcurrentMap<ResourceEvent.Type, Timer> lags = new ConcurrentHashMap<>();

	private final MeterRegistry registry;

	private final HandlerRegistration handler;

	private final Tags tags;

	private final Gauge pending;

	private final Counter retries;

	private volatile boolean removed;

	HandlerMeters(MeterRegistry registry, HandlerRegistration handler, Tags informer) {
		this.registry = registry;
		this.handler = handler;
		this.tags = informer.and("handler", handler.name());
		this.pending = Gauge.builder(InformerMeters.PREFIX + "handler.pending", handler, HandlerRegistration::pending)
			.description("Events that wait for the handler")
			.tags(this.tags)
			.register(registry);
		this.retries = Counter.builder(InformerMeters.PREFIX + "handler.retries")
			.description("Calls of the handler that were made again because one before has failed")
			.tags(this.tags)
			.register(registry);
	}

	boolean measures(HandlerRegistration registration) {
		return this.handler == registration;
	}

	void handled(ResourceEvent.Type type, Duration time, int attempt, boolean success) {
		record(this.calls.computeIfAbsent(new Call(type, success), this::callTimer), time);
		if (attempt > 1) {
			this.retries.increment();
		}
	}

	void delivered(ResourceEvent.Type type, Duration lag) {
		record(this.lags.computeIfAbsent(type, this::lagTimer), lag);
	}

	/**
	 * Records, and leaves nothing behind when the handler was removed meanwhile.
	 */
	private void record(Timer timer, Duration duration) {
		timer.record(duration);
		if (this.removed) {
			this.registry.remove(timer);
		}
	}

	void remove() {
		this.removed = true;
		this.registry.remove(this.pending);
		this.registry.remove(this.retries);
		this.calls.values().forEach(this::remove);
		this.lags.values().forEach(this::remove);
	}

	private void remove(Meter meter) {
		this.registry.remove(meter);
	}

	private Timer callTimer(Call call) {
		return Timer.builder(InformerMeters.PREFIX + "handler.calls")
			.description("Calls of the handler")
			.tags(this.tags.and("event", InformerMeters.name(call.type()), "outcome",
					InformerMeters.outcome(call.success())))
			.register(this.registry);
	}

	private Timer lagTimer(ResourceEvent.Type type) {
		return Timer.builder(InformerMeters.PREFIX + "delivery.lag")
			.description("Time from when a change was decoded until the handler has returned from it")
			.tags(this.tags.and("event", InformerMeters.name(type)))
			.register(this.registry);
	}

	private record Call(ResourceEvent.Type type, boolean success) {
	}

}
