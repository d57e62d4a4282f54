/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;

import dev.informer.HandlerRegistration;
import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.InformerState;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.spring.config.Outage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import org.jspecify.annotations.Nullable;

/**
 * Meters of one informer and of its handlers. Thread-safe.
 */
class InformerMeters extends RemovableMeters<SharedIndexInformer<?>> {

	static final String PREFIX = "kubernetes.informer.";

	static final String ALL_NAMESPACES = "*";

	static final String ERRORS_DESCRIPTION = "Number of failures, by kind";

	/**
	 * Tag of failures that are not those of a handler: all series of a meter have the
	 * same tags in Prometheus.
	 */
	private static final String NO_HANDLER = "none";

	/**
	 * Not {@code namespace}: that is the label of a target in Prometheus, with the
	 * namespace of the application.
	 */
	static final String NAMESPACE = "watched.namespace";

	private final boolean required;

	private final boolean observed;

	private final Map<ResourceEvent.Type, Counter> events = new EnumMap<>(ResourceEvent.Type.class);

	private final ConcurrentMap<String, HandlerMeters> handlers = new ConcurrentHashMap<>();

	/** Namespaces with a gauge. Micrometer warns about one that is registered twice. */
	private final Set<String> idleNamespaces = ConcurrentHashMap.newKeySet();

	/** Namespaces that the informer watches; {@code null} if they do not change. */
	private volatile @Nullable Set<String> namespaces;

	private volatile double syncMillis = Double.NaN;

	/**
	 * Create the meters. If invocations of handlers are observed, observations record
	 * their timer.
	 */
	InformerMeters(MeterRegistry registry, SharedIndexInformer<?> informer, boolean required, boolean observed) {
		super(registry, informer, tags(informer));
		this.required = required;
		this.observed = observed;
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

	/**
	 * Register the meters of a namespace. An increase of a counter is visible only if its
	 * series existed before. Of namespaces that a selector selects, which may be many,
	 * only those that alerts are based on.
	 */
	private void registerNamespace(String namespace) {
		registerIdle(namespace);
		if (this.object.options().namespaceSelector() != null) {
			errors(tag(namespace), InformerFailure.Kind.UNDECODABLE_OBJECT);
			return;
		}
		Stream.of(InformerFailure.Kind.values())
			.filter((kind) -> !HandlerMeters.FAILURES.contains(kind))
			.forEach((kind) -> errors(tag(namespace), kind));
		Stream.of(InformerEvent.RelistReason.values()).forEach((reason) -> relists(namespace, reason));
		Stream.of(InformerEvent.WatchEnd.values()).forEach((reason) -> watches(namespace, reason));
	}

	private void registerIdle(String namespace) {
		if (this.idleNamespaces.add(namespace)) {
			gauge("idle", "Whether the informer is not started, stopped, or optional and its resource is not served",
					null, (informer) -> isIdle(informer, namespace) ? 1 : 0, NAMESPACE, tag(namespace));
		}
	}

	private static String tag(@Nullable String namespace) {
		return (namespace == null || namespace.isEmpty()) ? ALL_NAMESPACES : namespace;
	}

	void record(InformerEvent event) {
		if (event instanceof InformerEvent.HandlerInvoked invoked) {
			handler(invoked.handler()).ifPresent((handler) -> handler.invoked(invoked));
		}
		else if (event instanceof InformerEvent.EventDelivered delivered) {
			handler(delivered.handler())
				.ifPresent((handler) -> handler.delivered(delivered.event().type(), delivered.lag()));
		}
		else if (event instanceof InformerEvent.CacheChanged changed) {
			Objects.requireNonNull(this.events.get(changed.type())).increment();
		}
		else if (event instanceof InformerEvent.Listed listed) {
			timer("lists", "Time of lists", NAMESPACE, tag(listed.namespace()), "mode", name(listed.mode()), "outcome",
					outcome(listed.success()))
				.record(listed.duration());
		}
		else if (event instanceof InformerEvent.WatchEnded ended) {
			watches(ended.namespace(), ended.reason()).increment();
		}
		else if (event instanceof InformerEvent.Relisting relisting) {
			relists(relisting.namespace(), relisting.reason()).increment();
		}
		else if (event instanceof InformerEvent.Failed failed) {
			failed(failed);
		}
		else if (event instanceof InformerEvent.NamespacesChanged changed) {
			namespacesChanged(changed.namespaces());
		}
		else if (event instanceof InformerEvent.Synced synced) {
			this.syncMillis = TimeSource.millis(synced.duration());
		}
		else if (event instanceof InformerEvent.HandlersChanged) {
			updateHandlers();
		}
	}

	private void failed(InformerEvent.Failed failed) {
		if (failed.handler() == null) {
			errors(tag(failed.namespace()), failed.failure().kind()).increment();
		}
		else {
			handler(failed.handler()).ifPresent((handler) -> handler.errors(failed.failure().kind()).increment());
		}
	}

	/**
	 * Add the meters of namespaces that have joined and remove those of namespaces that
	 * have left.
	 */
	private void namespacesChanged(Set<String> current) {
		// first, so that a meter that is being registered for another one is removed
		this.namespaces = current;
		removeObsolete();
		this.idleNamespaces.removeIf((namespace) -> !namespace.isEmpty() && !current.contains(namespace));
		current.forEach(this::registerNamespace);
	}

	@Override
	boolean isObsolete(Meter meter) {
		Set<String> current = this.namespaces;
		String namespace = meter.getId().getTag(NAMESPACE);
		return current != null && namespace != null && !namespace.equals(ALL_NAMESPACES)
				&& !current.contains(namespace);
	}

	private Counter watches(@Nullable String namespace, InformerEvent.WatchEnd reason) {
		return counter("watches", "Number of ended watches", NAMESPACE, tag(namespace), "reason", name(reason));
	}

	private Counter relists(@Nullable String namespace, InformerEvent.RelistReason reason) {
		return counter("relists", "Number of relists, by reason", NAMESPACE, tag(namespace), "reason", name(reason));
	}

	private Counter errors(String namespace, InformerFailure.Kind kind) {
		return counter("errors", ERRORS_DESCRIPTION, NAMESPACE, namespace, "kind", name(kind), "handler", NO_HANDLER);
	}

	/**
	 * Return the meters of a handler; empty if the handler has been removed.
	 */
	private Optional<HandlerMeters> handler(String handler) {
		return Optional.ofNullable(this.handlers.get(handler));
	}

	/**
	 * Add the meters of new handlers and remove those of removed handlers.
	 */
	synchronized void updateHandlers() {
		List<HandlerRegistration> registrations = this.object.handlers();
		this.handlers.values().removeIf((meters) -> {
			boolean gone = registrations.stream().noneMatch(meters::measures);
			if (gone) {
				meters.remove();
			}
			return gone;
		});
		registrations.forEach((registration) -> this.handlers.computeIfAbsent(registration.name(),
				(name) -> new HandlerMeters(this.registry, registration, this.tags, this.observed)));
	}

	@Override
	synchronized void remove() {
		super.remove();
		this.handlers.values().forEach(HandlerMeters::remove);
		this.handlers.clear();
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
		return Outage.isIdle((state != null) ? state : informer.state(), this.required);
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
