/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import dev.informer.HandlerRegistration;
import dev.informer.InformerFactory;
import dev.informer.InformerFailure;
import dev.informer.InformerOptions;
import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;
import dev.informer.replicas.Shard;
import dev.informer.spring.MissingLeasePermissionException;
import dev.informer.spring.SyncTimeoutException;
import dev.informer.spring.UnsyncedInformer;
import dev.informer.spring.config.InformerProperties.OnTimeout;
import dev.informer.support.FailureLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ReflectionUtils;

/**
 * Start of the informers of a registry, which waits until the required ones have synced
 * and, if that is configured, their handlers have received the initial list, or until the
 * startup timeout has passed. After that, namespaces that do not exist are named.
 * <p>
 * <b>Concurrency.</b> The work is done on a separate thread, the creation of the client
 * and the calls of user code included, and the starting thread waits for it without a
 * time limit. A context that is closed while it starts interrupts the starting thread
 * only in that state; it would otherwise wait for the end of the start. A start after the
 * refresh of the context is ended by {@link #cancel()}.
 *
 * @see org.springframework.context.support.AbstractApplicationContext#close()
 */
final class InformerStartup {

	private static final Logger logger = LoggerFactory.getLogger(InformerStartup.class);

	/** Number of namespaces that are looked for, each by a request. */
	private static final int CHECKED_NAMESPACES = 20;

	private static final Duration SYNC_OF_OPTIONAL_INFORMERS = Duration.ofSeconds(30);

	private final InformerFactory factory;

	private final InformerSettings settings;

	private final DefaultInformerRegistry registry;

	private final Replicas replicas;

	private final Runnable startReconcilers;

	private final BooleanSupplier active;

	private final CompletableFuture<Void> end = new CompletableFuture<>();

	private final Thread thread = new Thread(this::work, "informer-startup");

	private volatile boolean started;

	/**
	 * Create a start; {@code active} returns whether the informers may run.
	 */
	InformerStartup(InformerFactory factory, InformerSettings settings, DefaultInformerRegistry registry,
			Replicas replicas, Runnable startReconcilers, BooleanSupplier active) {
		this.factory = factory;
		this.settings = settings;
		this.registry = registry;
		this.replicas = replicas;
		this.startReconcilers = startReconcilers;
		this.active = active;
		this.thread.setDaemon(true);
	}

	/**
	 * Start the informers and wait for the required ones.
	 * @throws IllegalStateException if the wait is interrupted or cancelled
	 * @throws MissingLeasePermissionException if informers that cache a share of the
	 * objects wait for slots, and a permission for their Leases is missing
	 */
	void run() {
		long began = System.nanoTime();
		List<String> names = this.registry.informers().stream().map(SharedIndexInformer::name).toList();
		logger.atInfo()
			.addKeyValue("informers", names)
			.log("Starting informers {}", this.registry.informers().stream().map(InformerStartup::describe).toList());
		this.thread.start();
		awaitEnd();
		List<UnsyncedInformer> unsynced = this.registry.awaitedInformers().stream().map(UnsyncedInformer::of).toList();
		List<String> handlers = unsynced.isEmpty()
				? this.registry.awaitedHandlers().stream().map(InformerStartup::describe).toList() : List.of();
		if (!this.started || !unsynced.isEmpty() || !handlers.isEmpty()) {
			onTimeout(unsynced, handlers);
			return;
		}
		long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
		logger.atInfo()
			.addKeyValue("ms", millis)
			.log(required().isEmpty() ? "Started after {} ms; no informer is required"
					: "All required informers synced in {} ms", millis);
	}

	/**
	 * End a start that is running; it fails.
	 */
	void cancel() {
		this.end.cancel(false);
		this.thread.interrupt();
	}

	private void awaitEnd() {
		try {
			this.end.completeOnTimeout(null, TimeSource.nanos(this.settings.startup().timeout()), TimeUnit.NANOSECONDS)
				.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for the informers to sync", ex);
		}
		catch (CancellationException ex) {
			throw new IllegalStateException("Cannot start the informers: they were stopped at the same time", ex);
		}
		catch (ExecutionException ex) {
			ReflectionUtils.rethrowRuntimeException(ex.getCause());
		}
	}

	private void work() {
		startAndAwaitSync();
		if (this.started && !this.end.isCompletedExceptionally()) {
			reportMissingNamespaces();
		}
	}

	private void startAndAwaitSync() {
		try {
			this.registry.informers().forEach(this::start);
			this.startReconcilers.run();
			this.started = true;
			if (this.registry.informers().stream().anyMatch((informer) -> Shard.of(informer.options()).isPresent())) {
				join();
			}
			long deadline = System.nanoTime() + TimeSource.nanos(this.settings.startup().timeout());
			awaitSynced(required(), deadline);
			for (HandlerRegistration handler : this.registry.awaitedHandlers()) {
				handler.awaitSynced(InformerLifecycle.until(deadline));
			}
			this.end.complete(null);
		}
		catch (Throwable ex) {
			if (!this.end.completeExceptionally(ex) && this.active.getAsBoolean()
					&& !(ex instanceof InterruptedException)) {
				FailureLog.log(logger::atError,
						"Cannot start the informers after the startup timeout; their caches stay as they are", ex);
			}
		}
	}

	/**
	 * Name the namespaces that do not exist, whose caches are empty like those of
	 * namespaces without objects. The startup does not wait for that.
	 */
	private void reportMissingNamespaces() {
		try {
			Map<String, List<String>> empty = new TreeMap<>();
			long deadline = System.nanoTime() + TimeSource.nanos(SYNC_OF_OPTIONAL_INFORMERS);
			// others may belong to another cluster
			for (SharedIndexInformer<?> informer : this.factory.informers()) {
				if (!informer.options().namespaces().isEmpty() && isSynced(informer, deadline)) {
					Set<String> found = informer.lister().indexValues(Lister.NAMESPACE_INDEX);
					informer.options()
						.namespaces()
						.stream()
						.filter((namespace) -> !found.contains(namespace))
						.forEach((namespace) -> empty.computeIfAbsent(namespace, (any) -> new ArrayList<>())
							.add(informer.name()));
				}
			}
			empty.entrySet()
				.stream()
				.limit(CHECKED_NAMESPACES)
				.filter((entry) -> this.active.getAsBoolean() && this.factory.isNamespaceMissing(entry.getKey()))
				.forEach((entry) -> reportMissingNamespace(entry.getKey(), entry.getValue()));
		}
		catch (InterruptedException ex) {
			// the informers were stopped
		}
		catch (RuntimeException ex) {
			FailureLog.log(logger::atDebug, "Cannot find out whether the namespaces of the informers exist", ex);
		}
	}

	private static boolean isSynced(SharedIndexInformer<?> informer, long deadline) throws InterruptedException {
		try {
			return informer.awaitSynced(InformerLifecycle.until(deadline));
		}
		catch (IllegalStateException ex) {
			// failed permanently, or not started; both are reported elsewhere
			return false;
		}
	}

	private void reportMissingNamespace(String namespace, List<String> informers) {
		List<String> keys = informers.stream()
			.filter(this.settings.properties().resources()::containsKey)
			.map((informer) -> "informer.resources." + informer + ".namespaces")
			.toList();
		FailureLog.log(() -> logger.atWarn().addKeyValue("namespace", namespace).addKeyValue("informers", informers),
				"Namespace '" + namespace + "' does not exist, so informers " + informers
						+ " have no objects of it. Correct "
						+ (keys.isEmpty() ? "their namespaces" : String.join(", ", keys)) + ", or create the namespace",
				null);
	}

	/**
	 * Join the group that divides objects, unless the informers were stopped. Like an
	 * informer, the membership is found by the stop, or ended here.
	 */
	private void join() throws InterruptedException {
		if (!this.active.getAsBoolean()) {
			return;
		}
		this.replicas.join();
		if (!this.active.getAsBoolean()) {
			this.replicas.stop(Duration.ZERO);
		}
		else if (this.settings.startup().onTimeout() == OnTimeout.FAIL) {
			this.replicas.awaitJoined(this.settings.startup(), this.registry::rights);
		}
	}

	/**
	 * Start an informer, unless the informers were stopped. Either the stop finds the
	 * informer running, or this thread finds that it was stopped.
	 */
	private void start(SharedIndexInformer<?> informer) {
		if (!this.active.getAsBoolean()) {
			return;
		}
		try {
			informer.start();
		}
		catch (IllegalStateException ex) {
			// It may have been removed since the list was made
			if (this.registry.informers().contains(informer)) {
				throw ex;
			}
		}
		if (!this.active.getAsBoolean()) {
			informer.stop(Duration.ZERO);
		}
	}

	/**
	 * Wait until required informers have synced, or the timeout has passed. The factory
	 * notices at once if one of its informers fails permanently; informers of other
	 * factories are waited for one by one after that.
	 */
	private void awaitSynced(List<SharedIndexInformer<?>> required, long deadline) throws InterruptedException {
		List<SharedIndexInformer<?>> own = this.factory.informers();
		this.factory.awaitSynced(required.stream().filter(own::contains).toList(), InformerLifecycle.until(deadline));
		for (SharedIndexInformer<?> informer : required) {
			if (!own.contains(informer)) {
				informer.awaitSynced(InformerLifecycle.until(deadline));
			}
		}
	}

	private static String describe(SharedIndexInformer<?> informer) {
		InformerOptions options = informer.options();
		List<String> parts = new ArrayList<>();
		if (informer.resourceType().namespaced()) {
			parts.add((options.namespaceSelector() != null) ? "namespaces with " + options.namespaceSelector()
					: options.namespaces().isEmpty() ? "all namespaces" : "namespaces " + options.namespaces());
		}
		if (options.labelSelector() != null) {
			parts.add("labels " + options.labelSelector());
		}
		if (options.fieldSelector() != null) {
			parts.add("fields " + options.fieldSelector());
		}
		return informer.name() + (parts.isEmpty() ? "" : " (" + String.join(", ", parts) + ")");
	}

	private static String describe(HandlerRegistration handler) {
		return "'" + handler.name() + "' (" + handler.pending() + " events pending, " + handler.invocations().size()
				+ " running)";
	}

	private List<SharedIndexInformer<?>> required() {
		return this.registry.informers().stream().filter(this.registry::isRequired).toList();
	}

	private void onTimeout(List<UnsyncedInformer> informers, List<String> handlers) {
		boolean forbidden = informers.stream()
			.map((informer) -> informer.state().failure())
			.anyMatch((failure) -> failure != null && failure.kind() == InformerFailure.Kind.FORBIDDEN);
		String rights = forbidden ? this.registry.rights() : "";
		SyncTimeoutException timeout = new SyncTimeoutException(this.settings.startup().timeout(), this.started,
				informers, handlers, rights);
		if (this.settings.startup().onTimeout() == OnTimeout.FAIL) {
			throw timeout;
		}
		((this.settings.startup().onTimeout() == OnTimeout.WARN) ? logger.atWarn() : logger.atDebug())
			.addKeyValue("informers", informers.stream().map(UnsyncedInformer::name).toList())
			.addKeyValue("timeoutMillis", TimeSource.millis(timeout.timeout()))
			.log("{}; continuing startup{}", timeout.getMessage(),
					forbidden ? ". " + RequiredRights.INTRODUCTION + rights : "");
	}

}
