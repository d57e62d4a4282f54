package dev.informer.spring.autoconfigure.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import dev.informer.HandlerRegistration;
import dev.informer.InformerListener.ListMode;
import dev.informer.ResourceEvent;
import dev.informer.ResourceType;
import dev.informer.SharedIndexInformer;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;

/**
 * The meters of one informer and of its handlers. Thread-safe.
 */
class InformerMeters {

	static final String PREFIX = "kubernetes.informer.";

	private final MeterRegistry registry;

	private final SharedIndexInformer<?> informer;

	private final Tags tags;

	private final Map<ResourceEvent.Type, Counter> events = new EnumMap<>(ResourceEvent.Type.class);

	private final ConcurrentMap<HandlerCall, Timer> calls = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, Counter> retries = new ConcurrentHashMap<>();

	private final Map<HandlerRegistration, Meter> pending = new HashMap<>();

	private final Queue<Meter> meters = new ConcurrentLinkedQueue<>();

	private volatile double syncMillis = Double.NaN;

	InformerMeters(MeterRegistry registry, SharedIndexInformer<?> informer) {
		this.registry = registry;
		this.informer = informer;
		this.tags = tags(informer);
		for (ResourceEvent.Type type : ResourceEvent.Type.values()) {
			this.events.put(type, counter("events", "Changes applied to the local copy", "event", type));
		}
		registerGauges();
	}

	private static Tags tags(SharedIndexInformer<?> informer) {
		ResourceType<?> type = informer.resourceType();
		return Tags.of("informer", informer.name(), "resource", type.plural(), "group",
				type.group().isEmpty() ? "core" : type.group(), "version", type.version());
	}

	private void registerGauges() {
		keep(Gauge.builder(PREFIX + "store.size", this.informer, InformerMeters::size)
			.description("Objects in the local copy")
			.baseUnit("objects")
			.tags(this.tags)
			.register(this.registry));
		keep(Gauge.builder(PREFIX + "synced", this.informer, (informer) -> informer.hasSynced() ? 1 : 0)
			.description("Whether the local copy was complete at least once")
			.tags(this.tags)
			.register(this.registry));
		keep(Gauge.builder(PREFIX + "queue.depth", this.informer, SharedIndexInformer::queueDepth)
			.description("Changes that wait to be applied to the local copy")
			.tags(this.tags)
			.register(this.registry));
		keep(TimeGauge
			.builder(PREFIX + "last.activity.age", this.informer, TimeUnit.MILLISECONDS, InformerMeters::activityAge)
			.description("Time since the server was last heard")
			.tags(this.tags)
			.register(this.registry));
		keep(TimeGauge.builder(PREFIX + "sync.time", this, TimeUnit.MILLISECONDS, (meters) -> meters.syncMillis)
			.description("Time that the last start took until the local copy was complete")
			.tags(this.tags)
			.register(this.registry));
	}

	void synced(Duration time) {
		this.syncMillis = time.toMillis();
	}

	void changed(ResourceEvent.Type type) {
		Counter counter = this.events.get(type);
		if (counter != null) {
			counter.increment();
		}
	}

	void listed(String namespace, ListMode mode, Duration time, boolean success) {
		keep(Timer.builder(PREFIX + "lists")
			.description("Lists of the state of the server")
			.tags(this.tags.and("namespace", namespace, "mode", name(mode), "outcome", outcome(success)))
			.register(this.registry)).record(time);
	}

	void count(String name, String description, String namespace, String tag, Enum<?> value) {
		keep(Counter.builder(PREFIX + name)
			.description(description)
			.tags(this.tags.and("namespace", namespace, tag, name(value)))
			.register(this.registry)).increment();
	}

	void handled(String handler, ResourceEvent.Type type, Duration time, int attempt, boolean success) {
		this.calls.computeIfAbsent(new HandlerCall(handler, type, success), this::timer).record(time);
		if (attempt > 1) {
			this.retries.computeIfAbsent(handler, this::retryCounter).increment();
		}
	}

	/**
	 * Adds what handlers there are, and removes what there are not any more.
	 */
	synchronized void updateHandlers() {
		List<HandlerRegistration> handlers = this.informer.handlers();
		handlers.forEach((handler) -> {
			this.pending.computeIfAbsent(handler, this::pendingGauge);
			this.retries.computeIfAbsent(handler.name(), this::retryCounter);
		});
		if (this.pending.size() > handlers.size()) {
			Set<String> names = handlers.stream().map(HandlerRegistration::name).collect(Collectors.toSet());
			this.pending.entrySet()
				.removeIf((entry) -> !handlers.contains(entry.getKey()) && removed(entry.getValue()));
			this.calls.entrySet()
				.removeIf((entry) -> !names.contains(entry.getKey().handler()) && removed(entry.getValue()));
			this.retries.entrySet().removeIf((entry) -> !names.contains(entry.getKey()) && removed(entry.getValue()));
		}
	}

	/**
	 * Removes everything.
	 */
	synchronized void remove() {
		this.pending.values().forEach(this::removed);
		this.calls.values().forEach(this::removed);
		this.retries.values().forEach(this::removed);
		this.meters.forEach(this::removed);
	}

	private boolean removed(Meter meter) {
		this.registry.remove(meter);
		return true;
	}

	private Meter pendingGauge(HandlerRegistration handler) {
		return Gauge.builder(PREFIX + "handler.pending", handler, HandlerRegistration::pending)
			.description("Events that wait for the handler")
			.tags(this.tags.and("handler", handler.name()))
			.register(this.registry);
	}

	private Counter retryCounter(String handler) {
		return Counter.builder(PREFIX + "handler.retries")
			.description("Calls of the handler that were made again because one before has failed")
			.tags(this.tags.and("handler", handler))
			.register(this.registry);
	}

	private Timer timer(HandlerCall call) {
		return Timer.builder(PREFIX + "handler.calls")
			.description("Calls of the handler")
			.tags(this.tags.and("handler", call.handler(), "event", name(call.type()), "outcome",
					outcome(call.success())))
			.register(this.registry);
	}

	private Counter counter(String name, String description, String tag, Enum<?> value) {
		return keep(Counter.builder(PREFIX + name)
			.description(description)
			.tags(this.tags.and(tag, name(value)))
			.register(this.registry));
	}

	private <M extends Meter> M keep(M meter) {
		if (!this.meters.contains(meter)) {
			this.meters.add(meter);
		}
		return meter;
	}

	private static String name(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

	private static String outcome(boolean success) {
		return success ? "success" : "error";
	}

	private static double size(SharedIndexInformer<?> informer) {
		return informer.hasSynced() ? informer.lister().size() : Double.NaN;
	}

	private static double activityAge(SharedIndexInformer<?> informer) {
		return informer.lastActivity()
			.map((time) -> (double) Duration.between(time, Instant.now()).toMillis())
			.orElse(Double.NaN);
	}

	private record HandlerCall(String handler, ResourceEvent.Type type, boolean success) {
	}

}
