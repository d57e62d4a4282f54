/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import dev.informer.HandlerRegistration;
import dev.informer.InformerEvent.ListMode;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerFailure;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import org.jspecify.annotations.Nullable;

/**
 * Meters of one informer and of its handlers. Thread-safe.
 */
class InformerMeters {

	static final String PREFIX = "kubernetes.informer.";

	static final String ALL_NAMESPACES = "*";

	/**
	 * Tag of failures that are not those of a handler: all series of a meter have the
	 * same tags in Prometheus.
	 */
	private static final String NO_HANDLER = "none";

	/**
	 * Not {@code namespace}: that is the label of a target in Prometheus, with the
	 * namespace of the application.
	 */
	private static final String NAMESPACE = "watched.namespace";

	private final MeterRegistry registry;

	private final SharedIndexInformer<?> informer;

	private final boolean required;

	private final Tags tags;

	private final Map<ResourceEvent.Type, Counter> events = new EnumMap<>(ResourceEvent.Type.class);

	private final ConcurrentMap<String, HandlerMeters> handlers = new ConcurrentHashMap<>();

	private final Set<Meter> meters = ConcurrentHashMap.newKeySet();

	/** Namespaces with a gauge. Micrometer warns about one that is registered twice. */
	private final Set<String> idleNamespaces = ConcurrentHashMap.newKeySet();

	private volatile boolean removed;

	/** Namespaces that the informer watches; {@code null} if they do not change. */
	private volatile @Nullable Set<String> namespaces;

	private volatile double syncMillis = Double.NaN;

	InformerMeters(MeterRegistry registry, SharedIndexInformer<?> informer, boolean required) {
		this.registry = registry;
		this.informer = informer;
		this.required = required;
		this.tags = tags(informer);
		for (ResourceEvent.Type type : ResourceEvent.Type.values()) {
			this.events.put(type, counter("events", "Number of changes applied to the cache", "event", name(type)));
		}
		registerGauges();
		if (informer.options().namespaces().isEmpty()) {
			// with a namespace selector, for the time without namespaces
			registerIdle("");
		}
		informer.statesByNamespace().keySet().forEach(this::registerNamespace);
	}

	private static Tags tags(SharedIndexInformer<?> informer) {
		ResourceType<?> type = informer.resourceType();
		return Tags.of("informer", informer.name(), "resource", type.plural(), "group",
				type.group().isEmpty() ? "core" : type.group(), "version",
				type.version().isEmpty() ? "preferred" : type.version());
	}

	private void registerGauges() {
		gauge("store.size", "Number of objects in the cache", "objects", InformerMeters::size);
		gauge("synced", "Whether the cache has been complete at least once", null,
				(informer) -> informer.hasSynced() ? 1 : 0);
		gauge("required", "Whether startup waits for the informer and fails without it", null,
				(informer) -> this.required ? 1 : 0);
		gauge("namespaces", "Number of namespaces that are watched", "namespaces", InformerMeters::namespaces);
		gauge("queue.depth", "Number of changes that are queued for the cache", "changes",
				SharedIndexInformer::queueDepth);
		gauge("protobuf", "Whether the last response was in protobuf", null, InformerMeters::protobuf);
		timeGauge("last.activity.age", "Time since the last response or event from the API server",
				InformerMeters::activityAge);
		timeGauge("sync.time", "Time from the last start to the first complete list", (informer) -> this.syncMillis);
	}

	private void timeGauge(String name, String description, ToDoubleFunction<SharedIndexInformer<?>> millis) {
		keep(TimeGauge.builder(PREFIX + name, this.informer, TimeUnit.MILLISECONDS, millis)
			.description(description)
			.tags(this.tags)
			.register(this.registry));
	}

	private void gauge(String name, String description, @Nullable String unit,
			ToDoubleFunction<SharedIndexInformer<?>> value) {
		keep(Gauge.builder(PREFIX + name, this.informer, value)
			.description(description)
			.baseUnit(unit)
			.tags(this.tags)
			.register(this.registry));
	}

	/**
	 * Register the meters of a namespace that alerts are based on. An increase of a
	 * counter is visible only if its series existed before.
	 */
	private void registerNamespace(String namespace) {
		registerIdle(namespace);
		errors(tag(namespace), InformerFailure.Kind.UNDECODABLE_OBJECT);
	}

	private void registerIdle(String namespace) {
		if (this.idleNamespaces.add(namespace)) {
			keep(Gauge.builder(PREFIX + "idle", this.informer, (informer) -> isIdle(informer, namespace) ? 1 : 0)
				.description("Whether the informer is not started, stopped, or optional and its resource is not served")
				.tags(this.tags.and(NAMESPACE, tag(namespace)))
				.register(this.registry));
		}
	}

	private static String tag(String namespace) {
		return namespace.isEmpty() ? ALL_NAMESPACES : namespace;
	}

	void synced(Duration time) {
		this.syncMillis = TimeSource.millis(time);
	}

	void changed(ResourceEvent.Type type) {
		Objects.requireNonNull(this.events.get(type)).increment();
	}

	/**
	 * Add the meters of namespaces that have joined and remove those of namespaces that
	 * have left.
	 */
	void namespacesChanged(Set<String> current) {
		// first, so that a meter that is being registered for another one is removed
		this.namespaces = current;
		List.copyOf(this.meters).forEach(this::removeIfUnwatched);
		this.idleNamespaces.removeIf((namespace) -> !namespace.isEmpty() && !current.contains(namespace));
		current.forEach(this::registerNamespace);
	}

	private void removeIfUnwatched(Meter meter) {
		Set<String> current = this.namespaces;
		String namespace = meter.getId().getTag(NAMESPACE);
		if (current != null && namespace != null && !namespace.equals(ALL_NAMESPACES) && !current.contains(namespace)) {
			this.meters.remove(meter);
			this.registry.remove(meter);
		}
	}

	void listed(String namespace, ListMode mode, Duration time, boolean success) {
		keep(Timer.builder(PREFIX + "lists")
			.description("Time of lists")
			.tags(this.tags.and(NAMESPACE, namespace, "mode", name(mode), "outcome", outcome(success)))
			.register(this.registry)).record(time);
	}

	void watchEnded(String namespace, WatchEnd reason) {
		counter("watches", "Number of ended watches", NAMESPACE, namespace, "reason", name(reason)).increment();
	}

	void relisting(String namespace, RelistReason reason) {
		counter("relists", "Number of relists, by reason", NAMESPACE, namespace, "reason", name(reason)).increment();
	}

	void failed(String namespace, InformerFailure.Kind kind) {
		errors(namespace, kind).increment();
	}

	private Counter errors(String namespace, InformerFailure.Kind kind) {
		return keep(errors(this.registry, this.tags.and("handler", NO_HANDLER), namespace, kind));
	}

	/**
	 * Return a counter of failures with the tags of the informer and of the handler.
	 */
	static Counter errors(MeterRegistry registry, Tags tags, String namespace, InformerFailure.Kind kind) {
		return Counter.builder(PREFIX + "errors")
			.baseUnit("errors")
			.description("Number of failures, by kind")
			.tags(tags.and(NAMESPACE, namespace, "kind", name(kind)))
			.register(registry);
	}

	/**
	 * Return the meters of a handler; empty if the handler has been removed.
	 */
	Optional<HandlerMeters> handler(String handler) {
		return Optional.ofNullable(this.handlers.get(handler));
	}

	/**
	 * Add the meters of new handlers and remove those of removed handlers.
	 */
	synchronized void updateHandlers() {
		List<HandlerRegistration> registrations = this.informer.handlers();
		this.handlers.values().removeIf((meters) -> {
			boolean gone = registrations.stream().noneMatch(meters::measures);
			if (gone) {
				meters.remove();
			}
			return gone;
		});
		registrations.forEach((registration) -> this.handlers.computeIfAbsent(registration.name(),
				(name) -> new HandlerMeters(this.registry, registration, this.tags)));
	}

	synchronized void remove() {
		this.removed = true;
		this.handlers.values().forEach(HandlerMeters::remove);
		this.handlers.clear();
		this.meters.forEach(this.registry::remove);
	}

	private Counter counter(String name, String description, String... tags) {
		return keep(Counter.builder(PREFIX + name)
			.baseUnit(name)
			.description(description)
			.tags(this.tags.and(tags))
			.register(this.registry));
	}

	private <M extends Meter> M keep(M meter) {
		this.meters.add(meter);
		if (this.removed) {
			this.registry.remove(meter);
		}
		removeIfUnwatched(meter);
		return meter;
	}

	static String name(Enum<?> value) {
		return value.name().toLowerCase(Locale.ROOT);
	}

	static String outcome(boolean success) {
		return success ? "success" : "error";
	}

	/**
	 * Return whether the informer is not expected to follow the server in a namespace,
	 * which is no reason for an alert.
	 */
	private boolean isIdle(SharedIndexInformer<?> informer, String namespace) {
		InformerState state = informer.statesByNamespace().get(namespace);
		Phase phase = ((state != null) ? state : informer.state()).phase();
		return phase == Phase.NOT_STARTED || phase == Phase.STOPPED || (phase == Phase.DORMANT && !this.required);
	}

	private static double namespaces(SharedIndexInformer<?> informer) {
		Set<String> namespaces = informer.statesByNamespace().keySet();
		return namespaces.contains("") ? Double.NaN : namespaces.size();
	}

	private static double size(SharedIndexInformer<?> informer) {
		return informer.hasSynced() ? informer.lister().size() : Double.NaN;
	}

	private static double protobuf(SharedIndexInformer<?> informer) {
		return informer.encoding().map((encoding) -> encoding.equals("protobuf") ? 1.0 : 0.0).orElse(Double.NaN);
	}

	private static double activityAge(SharedIndexInformer<?> informer) {
		return informer.lastActivity()
			.map((moment) -> (double) TimeSource.millis(moment.age(TimeSource.SYSTEM)))
			.orElse(Double.NaN);
	}

}
