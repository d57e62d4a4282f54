/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.informer.HandlerOptions;
import dev.informer.InformerOptions;
import dev.informer.client.TimeSource;
import dev.informer.replicas.Shard;
import dev.informer.replicas.Sharding;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.boot.autoconfigure.InformerProperties.BuiltInIndex;
import dev.informer.spring.boot.autoconfigure.InformerProperties.Handler;
import dev.informer.spring.boot.autoconfigure.InformerProperties.Resource;
import dev.informer.spring.boot.autoconfigure.InformerProperties.Startup;
import dev.informer.spring.config.InformerSettings;
import dev.informer.spring.config.Names;
import dev.informer.spring.config.ReplicaSelection;
import org.jspecify.annotations.Nullable;

/**
 * Maps {@link InformerProperties} to {@link InformerSettings} and
 * {@link InformerOptions}, and validates them.
 */
final class InformerSettingsPropertyMapper {

	private static final String CURRENT_NAMESPACE = "@current";

	private static final Pattern DNS_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

	private final InformerProperties properties;

	InformerSettingsPropertyMapper(InformerProperties properties) {
		this.properties = properties;
	}

	/**
	 * Map the defaults of all informers.
	 */
	InformerOptions defaultOptions() {
		InformerOptions.Builder builder = new InformerOptions.Builder(InformerOptions.DEFAULT);
		validate("informer.defaults", () -> {
			this.properties.defaults().applyTo(builder);
			builder.build();
		});
		return builder.build();
	}

	/**
	 * Map all settings. Handlers have the drain timeout to return when the application
	 * stops; the sharding is {@code null} if it is disabled.
	 */
	InformerSettings settings(Supplier<String> currentNamespace, Duration drainTimeout, @Nullable Sharding sharding) {
		defaultOptions();
		validateNotNegative("informer.startup.timeout", this.properties.startup().timeout());
		validateNotNegative("informer.health.failing-threshold", this.properties.health().failingThreshold());
		validateNotNegative("informer.health.stuck-handler-threshold",
				this.properties.health().stuckHandlerThreshold());
		validateReplicas();
		validateResyncPeriod("informer.defaults", this.properties.defaults().resyncPeriod());
		Map<String, InformerSettings.Informer> informers = new LinkedHashMap<>();
		this.properties.resources()
			.forEach((name, resource) -> informers.put(name, informer(name, resource, currentNamespace, sharding)));
		Map<String, InformerSettings.Handler> handlers = new LinkedHashMap<>();
		this.properties.handlers().forEach((id, handler) -> handlers.put(id, handler(Names.handlerKey(id), handler)));
		Startup startup = this.properties.startup();
		return new InformerSettings(this.properties.autoStartup(), startup.timeout(), startup.onTimeout(),
				startup.deliverAfterSync(), startup.awaitHandlers(), drainTimeout,
				new InformerSettings.Informer(this.properties.defaults()::applyTo, List.of(), true,
						new InformerSettings.Handler(
								(builder) -> builder.resyncPeriod(this.properties.defaults().resyncPeriod()),
								ReplicaSelection.NONE)),
				informers, handlers);
	}

	private InformerSettings.Informer informer(String name, Resource resource, Supplier<String> currentNamespace,
			@Nullable Sharding sharding) {
		String prefix = "informer.resources." + name;
		validateNamespaces(prefix, resource.namespaces());
		Shard shard = shard(prefix, resource.shard().by(), sharding);
		return new InformerSettings.Informer((builder) -> {
			this.properties.defaults().applyTo(builder);
			resource.applyTo(builder);
			builder.watchedSet(shard)
				.namespaces(resource.namespaces()
					.stream()
					.map((namespace) -> namespace.equals(CURRENT_NAMESPACE) ? currentNamespace.get() : namespace)
					.toArray(String[]::new));
		}, resource.indices().stream().map(BuiltInIndex::index).toList(), resource.required(),
				handler(prefix + ".handler", resource.handler()));
	}

	private static @Nullable Shard shard(String prefix, Shard.@Nullable Key by, @Nullable Sharding sharding) {
		if (by == null) {
			return null;
		}
		if (sharding == null) {
			throw new InvalidInformerPropertyException(prefix + ".shard.by",
					"the informer caches a share of the objects, but sharding is disabled",
					"Set informer.sharding.enabled=true, or let every replica cache all objects: remove " + prefix
							+ ".shard.by.");
		}
		return new Shard(sharding, by);
	}

	private static InformerSettings.Handler handler(String prefix, Handler handler) {
		validateResyncPeriod(prefix, handler.resyncPeriod());
		validate(prefix, () -> {
			HandlerOptions.Builder<?> builder = new HandlerOptions.Builder<>();
			handler.applyTo(builder);
			builder.build();
		});
		return new InformerSettings.Handler(handler::applyTo,
				new ReplicaSelection(handler.leaderOnly(), handler.leader(), handler.sharded()));
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
		InformerProperties.Sharding sharding = this.properties.sharding();
		validateLease("informer.sharding", sharding.leaseDuration(), sharding.renewDeadline(), sharding.retryPeriod());
	}

	private static void validateLease(String prefix, @Nullable Duration leaseDuration, @Nullable Duration renewDeadline,
			@Nullable Duration retryPeriod) {
		validateNotNegative(prefix + ".lease-duration", leaseDuration);
		validateNotNegative(prefix + ".renew-deadline", renewDeadline);
		validateNotNegative(prefix + ".retry-period", retryPeriod);
	}

	private static void validateNamespaces(String prefix, List<String> namespaces) {
		for (String namespace : namespaces) {
			if (!namespace.equals(CURRENT_NAMESPACE) && !DNS_LABEL.matcher(namespace).matches()) {
				throw new InvalidInformerPropertyException(prefix + ".namespaces",
						"'" + namespace + "' is not a valid name of a namespace, which has at most 63 lowercase "
								+ "letters, digits and dashes",
						"Name namespaces, or " + CURRENT_NAMESPACE
								+ " for the namespace of the connection; leave the property out for all namespaces.");
			}
		}
	}

	private static void validateResyncPeriod(String prefix, @Nullable Duration period) {
		if (period != null && !period.isZero() && period.compareTo(InformerSettings.MIN_RESYNC_PERIOD) < 0) {
			throw new InvalidInformerPropertyException(prefix + ".resync-period",
					"the resync period must be at least 1000 ms, but is " + TimeSource.millis(period) + " ms",
					"Use 0 for no resync.");
		}
	}

	private static void validate(String prefix, Runnable values) {
		try {
			values.run();
		}
		catch (IllegalArgumentException ex) {
			throw InvalidInformerPropertyException.of(prefix, ex);
		}
	}

}
