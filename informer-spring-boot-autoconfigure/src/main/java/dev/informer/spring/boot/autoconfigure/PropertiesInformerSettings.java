/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.informer.BackoffPolicy;
import dev.informer.InformerOptions;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.config.HandlerEndpoint;
import dev.informer.spring.config.HandlerSettings;
import dev.informer.spring.config.InformerSettings;
import dev.informer.spring.config.OnTimeout;
import org.jspecify.annotations.Nullable;

/**
 * Reads the settings of informers and handlers from the properties. What is said of a
 * handler goes before its annotation, that before what is said of its informer, and that
 * before the defaults.
 */
final class PropertiesInformerSettings implements InformerSettings {

	private static final String CURRENT_NAMESPACE = "@current";

	private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

	private static final Duration SHORTEST_RESYNC = Duration.ofSeconds(1);

	private final InformerProperties properties;

	private final Supplier<String> currentNamespace;

	private final Duration drainTimeout;

	private final InformerOptions defaultOptions;

	PropertiesInformerSettings(InformerProperties properties, Supplier<String> currentNamespace,
			Duration drainTimeout) {
		this.properties = properties;
		this.currentNamespace = currentNamespace;
		this.drainTimeout = drainTimeout;
		this.defaultOptions = defaultOptions(properties.getDefaults());
		checkNotNegative("informer.startup.timeout", properties.getStartup().getTimeout());
		checkNotNegative("informer.health.failing-threshold", properties.getHealth().getFailingThreshold());
		properties.getResources()
			.forEach((name, resource) -> checkNamespaces("informer.resources." + name, resource.getNamespaces()));
		checkResyncPeriod("informer.defaults", properties.getDefaults().getResyncPeriod());
		properties.getResources()
			.forEach((name, resource) -> check("informer.resources." + name + ".handler", resource.getHandler()));
		properties.getHandlers().forEach((id, handler) -> check("informer.handlers." + id, handler));
	}

	@Override
	public boolean autoStartup() {
		return this.properties.isAutoStartup();
	}

	@Override
	public Duration startupTimeout() {
		return this.properties.getStartup().getTimeout();
	}

	@Override
	public OnTimeout onTimeout() {
		return this.properties.getStartup().getOnTimeout();
	}

	@Override
	public boolean holdHandlers() {
		return this.properties.getStartup().isHoldHandlers();
	}

	@Override
	public Duration drainTimeout() {
		return this.drainTimeout;
	}

	@Override
	public Set<String> informerNames() {
		return this.properties.getResources().keySet();
	}

	@Override
	public Set<String> handlerIds() {
		return this.properties.getHandlers().keySet();
	}

	/**
	 * The options of informers that the properties do not name.
	 */
	InformerOptions defaultOptions() {
		return this.defaultOptions;
	}

	@Override
	public InformerOptions informerOptions(String name) {
		InformerOptions defaults = this.defaultOptions;
		ResourceProperties resource = resource(name);
		return checked("informer.resources." + name,
				() -> new InformerOptions.Builder(defaults).name(name)
					.namespaces(namespaces(resource).toArray(String[]::new))
					.labelSelector(resource.getLabelSelector())
					.fieldSelector(resource.getFieldSelector())
					.pageSize(first(resource.getPageSize(), defaults.pageSize()))
					.watchTimeout(first(resource.getWatchTimeout(), defaults.watchTimeout()))
					.watchIdleTimeout(first(resource.getWatchIdleTimeout(), defaults.watchIdleTimeout()))
					.streamingList(first(resource.getStreamingList(), defaults.streamingList()))
					.managedFields(first(resource.getManagedFields(), defaults.managedFields()))
					.allowUnsyncedReads(first(resource.getAllowUnsyncedReads(), defaults.allowUnsyncedReads()))
					.mutationDetection(first(resource.getMutationDetection(), defaults.mutationDetection()))
					.backoff(backoff(resource.getBackoff(), defaults.backoff()))
					.build());
	}

	@Override
	public List<String> indices(String name) {
		return resource(name).getIndices().stream().map(ResourceProperties.BuiltInIndex::index).toList();
	}

	@Override
	public boolean required(String name) {
		return resource(name).isRequired();
	}

	@Override
	public HandlerSettings handlerSettings(String informer, HandlerEndpoint endpoint) {
		HandlerProperties ofHandler = this.properties.getHandlers()
			.getOrDefault(endpoint.id(), new HandlerProperties());
		return ofHandler.settings()
			.or(endpoint.settings())
			.or(resource(informer).getHandler().settings())
			.or(new HandlerSettings(this.properties.getDefaults().getResyncPeriod(), null, null, null,
					new HandlerSettings.Retry(null, null, null, null, null), null));
	}

	private static InformerOptions defaultOptions(DefaultsProperties defaults) {
		DefaultsProperties.Backoff backoff = defaults.getBackoff();
		return checked("informer.defaults",
				() -> new InformerOptions.Builder(InformerOptions.DEFAULT).pageSize(defaults.getPageSize())
					.watchTimeout(defaults.getWatchTimeout())
					.watchIdleTimeout(defaults.getWatchIdleTimeout())
					.streamingList(defaults.isStreamingList())
					.managedFields(defaults.isManagedFields())
					.allowUnsyncedReads(defaults.isAllowUnsyncedReads())
					.mutationDetection(defaults.getMutationDetection())
					.backoff(new BackoffPolicy(backoff.getInitial(), backoff.getFactor(), backoff.getMax(),
							jitter(backoff.getJitter(), backoff.getInitial()), backoff.getResetAfter()))
					.build());
	}

	private ResourceProperties resource(String name) {
		return this.properties.getResources().getOrDefault(name, new ResourceProperties());
	}

	private List<String> namespaces(ResourceProperties resource) {
		return resource.getNamespaces()
			.stream()
			.map((namespace) -> namespace.equals(CURRENT_NAMESPACE) ? this.currentNamespace.get() : namespace)
			.toList();
	}

	private static Duration jitter(double share, Duration delay) {
		return Duration.ofNanos((long) (share * delay.toNanos()));
	}

	private static BackoffPolicy backoff(ResourceProperties.Backoff backoff, BackoffPolicy defaults) {
		return new BackoffPolicy(first(backoff.getInitial(), defaults.delay()),
				first(backoff.getFactor(), defaults.multiplier()), first(backoff.getMax(), defaults.maxDelay()),
				(backoff.getJitter() != null)
						? jitter(backoff.getJitter(), first(backoff.getInitial(), defaults.delay()))
						: defaults.jitter(),
				first(backoff.getResetAfter(), defaults.resetAfter()));
	}

	private static <V> V first(@Nullable V value, V otherwise) {
		return (value != null) ? value : otherwise;
	}

	private static void check(String prefix, HandlerProperties handler) {
		checkResyncPeriod(prefix, handler.getResyncPeriod());
		checked(prefix, () -> handler.settings().options());
	}

	private static void checkNotNegative(String key, Duration duration) {
		if (duration.isNegative()) {
			throw new InvalidInformerPropertyException(key,
					"a time to wait is not negative, as " + duration.toMillis() + "ms is", "Give a time such as 30s.");
		}
	}

	private static void checkNamespaces(String prefix, List<String> namespaces) {
		for (String namespace : namespaces) {
			if (!namespace.equals(CURRENT_NAMESPACE) && !NAMESPACE.matcher(namespace).matches()) {
				throw new InvalidInformerPropertyException(prefix + ".namespaces",
						"'" + namespace + "' cannot be the name of a namespace, which has small letters, digits and "
								+ "dashes only, 63 of them at most",
						"Name namespaces, or " + CURRENT_NAMESPACE
								+ " for the one of the connection; leave the property out for all namespaces.");
			}
		}
	}

	private static void checkResyncPeriod(String prefix, @Nullable Duration period) {
		if (period != null && !period.isZero() && period.compareTo(SHORTEST_RESYNC) < 0) {
			throw new InvalidInformerPropertyException(prefix + ".resync-period",
					"a resync period is at least 1s, not " + period.toMillis() + "ms", "Use 0 for no resync.");
		}
	}

	private static <V> V checked(String prefix, Supplier<V> values) {
		try {
			return values.get();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidInformerPropertyException(prefix, String.valueOf(ex.getMessage()),
					"Change what stands below " + prefix + ".", ex);
		}
	}

}
