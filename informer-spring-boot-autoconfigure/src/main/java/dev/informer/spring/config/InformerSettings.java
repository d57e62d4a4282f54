/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import dev.informer.HandlerOptions;
import dev.informer.InformerOptions;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.ReconcilerOptions;
import dev.informer.replicas.Shard;
import dev.informer.replicas.Sharding;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.config.InformerProperties.BuiltInIndex;
import dev.informer.spring.config.InformerProperties.Handler;
import dev.informer.spring.config.InformerProperties.Reconciler;
import dev.informer.spring.config.InformerProperties.Resource;
import dev.informer.spring.config.InformerProperties.Startup;
import dev.informer.support.Arguments;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the informers and handlers of an application: its properties, which are
 * valid, and what they refer to.
 */
public final class InformerSettings {

	/** Shortest resync period, apart from zero for none. */
	static final Duration MIN_RESYNC_PERIOD = Duration.ofSeconds(1);

	private static final String CURRENT_NAMESPACE = "@current";

	private final InformerProperties properties;

	private final Supplier<String> currentNamespace;

	private final Duration drainTimeout;

	private final @Nullable Sharding sharding;

	private final List<DeclaredWrite> writes;

	/**
	 * Create settings. Handlers have the drain timeout to return when the application
	 * stops; the sharding is {@code null} if it is disabled.
	 * @throws InvalidInformerPropertyException if a property is invalid
	 */
	public InformerSettings(InformerProperties properties, Supplier<String> currentNamespace, Duration drainTimeout,
			@Nullable Sharding sharding) {
		this.properties = properties;
		this.currentNamespace = currentNamespace;
		this.drainTimeout = drainTimeout;
		this.sharding = sharding;
		defaultOptions(properties);
		validateNotNegative("informer.startup.timeout", properties.startup().timeout());
		validateNotNegative("informer.health.failing-threshold", properties.health().failingThreshold());
		validateNotNegative("informer.health.stuck-handler-threshold", properties.health().stuckHandlerThreshold());
		validateReplicas();
		validateResyncPeriod("informer.defaults", properties.defaults().resyncPeriod());
		properties.resources().forEach((name, resource) -> validateResource("informer.resources." + name, resource));
		properties.handlers().forEach((id, handler) -> validateHandler(Names.handlerKey(id), handler));
		validateReconciler("informer.defaults.reconciler", properties.defaults().reconciler());
		properties.reconcilers().forEach((id, reconciler) -> validateReconciler(Names.reconcilerKey(id), reconciler));
		this.writes = DeclaredWrite.of(properties.writer());
		properties.writer()
			.writes()
			.forEach((name, write) -> validateNamespaces(DeclaredWrite.PREFIX + name, write.namespaces()));
	}

	/**
	 * Return the defaults of all informers.
	 * @throws InvalidInformerPropertyException if one of them is invalid
	 */
	public static InformerOptions defaultOptions(InformerProperties properties) {
		return validate("informer.defaults", () -> {
			InformerOptions.Builder builder = new InformerOptions.Builder(InformerOptions.DEFAULT);
			properties.defaults().applyTo(builder);
			return builder.build();
		});
	}

	InformerProperties properties() {
		return this.properties;
	}

	Startup startup() {
		return this.properties.startup();
	}

	public Duration drainTimeout() {
		return this.drainTimeout;
	}

	/**
	 * Return whether startup waits for an informer and fails without it.
	 */
	boolean isRequired(String informer) {
		Resource resource = this.properties.resources().get(informer);
		return resource == null || resource.required();
	}

	/**
	 * Return the names of the built-in indices of an informer.
	 */
	List<String> indices(String informer) {
		Resource resource = this.properties.resources().get(informer);
		return (resource != null) ? resource.indices().stream().map(BuiltInIndex::index).toList() : List.of();
	}

	/**
	 * Set the options of an informer.
	 */
	void applyTo(InformerOptions.Builder builder, String informer) {
		this.properties.defaults().applyTo(builder);
		Resource resource = this.properties.resources().get(informer);
		if (resource != null) {
			Shard.Key by = resource.shard().by();
			resource.applyTo(builder);
			builder.watchedSet((by != null && this.sharding != null) ? new Shard(this.sharding, by) : null)
				.namespaces(names(resource.namespaces()).toArray(String[]::new));
		}
	}

	private List<String> names(List<String> namespaces) {
		return namespaces.stream()
			.map((namespace) -> namespace.equals(CURRENT_NAMESPACE) ? this.currentNamespace.get() : namespace)
			.toList();
	}

	/**
	 * Add the permissions of the writes that properties declare.
	 */
	public void addWritesTo(RbacManifest manifest) {
		this.writes.forEach((write) -> manifest.addWrites(write.resourceType(), write.operations(),
				names(write.namespaces()), write.withOwner()));
	}

	/**
	 * Return the properties of the handlers of an informer.
	 */
	Handler handlersOf(String informer) {
		Resource resource = this.properties.resources().get(informer);
		return (resource != null) ? resource.handler() : Handler.NONE;
	}

	private static void validateNamespaces(String prefix, List<String> namespaces) {
		for (String namespace : namespaces) {
			if (!namespace.equals(CURRENT_NAMESPACE) && !Arguments.isNamespace(namespace)) {
				throw new InvalidInformerPropertyException(prefix + ".namespaces",
						"'" + namespace + "' is not a valid name of a namespace, which has at most 63 lowercase "
								+ "letters, digits and dashes",
						"Name namespaces, or " + CURRENT_NAMESPACE
								+ " for the namespace of the connection; leave the property out for all namespaces.");
			}
		}
	}

	private void validateResource(String prefix, Resource resource) {
		validateNamespaces(prefix, resource.namespaces());
		if (resource.shard().by() != null && this.sharding == null) {
			throw new InvalidInformerPropertyException(prefix + ".shard.by",
					"the informer caches a share of the objects, but sharding is disabled",
					"Set informer.sharding.enabled=true, or let every replica cache all objects: remove " + prefix
							+ ".shard.by.");
		}
		validateHandler(prefix + ".handler", resource.handler());
	}

	private static void validateHandler(String prefix, Handler handler) {
		validateResyncPeriod(prefix, handler.resyncPeriod());
		validate(prefix, () -> {
			HandlerOptions.Builder<?> builder = new HandlerOptions.Builder<>();
			handler.applyTo(builder);
			return builder.build();
		});
	}

	private static void validateReconciler(String prefix, Reconciler reconciler) {
		validate(prefix, () -> {
			ReconcilerOptions.Builder<?> builder = new ReconcilerOptions.Builder<>(prefix);
			reconciler.applyTo(builder);
			return builder.build();
		});
	}

	private static void validateNotNegative(String key, @Nullable Duration duration) {
		if (duration != null && duration.isNegative()) {
			throw new InvalidInformerPropertyException(key,
					"the duration must not be negative, but is " + TimeSource.millis(duration) + " ms",
					"Set a duration such as 30s.");
		}
	}

	/**
	 * Check the durations of elections and of sharding, also of what is disabled.
	 */
	private void validateReplicas() {
		InformerProperties.Leader leader = this.properties.leader();
		validateLease("informer.leader", leader.leaseDuration(), leader.renewDeadline(), leader.retryPeriod());
		leader.elections()
			.forEach((name, election) -> validateLease("informer.leader.elections." + name, election.leaseDuration(),
					election.renewDeadline(), election.retryPeriod()));
		InformerProperties.Sharding group = this.properties.sharding();
		validateLease("informer.sharding", group.leaseDuration(), group.renewDeadline(), group.retryPeriod());
	}

	private static void validateLease(String prefix, @Nullable Duration leaseDuration, @Nullable Duration renewDeadline,
			@Nullable Duration retryPeriod) {
		validateNotNegative(prefix + ".lease-duration", leaseDuration);
		validateNotNegative(prefix + ".renew-deadline", renewDeadline);
		validateNotNegative(prefix + ".retry-period", retryPeriod);
	}

	private static void validateResyncPeriod(String prefix, @Nullable Duration period) {
		if (period != null && !period.isZero() && period.compareTo(MIN_RESYNC_PERIOD) < 0) {
			throw new InvalidInformerPropertyException(prefix + ".resync-period",
					"the resync period must be at least 1000 ms, but is " + TimeSource.millis(period) + " ms",
					"Use 0 for no resync.");
		}
	}

	private static <T> T validate(String prefix, Supplier<T> options) {
		try {
			return options.get();
		}
		catch (IllegalArgumentException ex) {
			throw InvalidInformerPropertyException.of(prefix, ex);
		}
	}

}
