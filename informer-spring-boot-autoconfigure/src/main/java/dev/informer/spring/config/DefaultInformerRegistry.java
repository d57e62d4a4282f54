/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.informer.HandlerRegistration;
import dev.informer.IndexFunction;
import dev.informer.InformerFactory;
import dev.informer.InformerListener;
import dev.informer.InformerOptions;
import dev.informer.InvocationGate;
import dev.informer.Lister;
import dev.informer.ObjectTransform;
import dev.informer.SharedIndexInformer;
import dev.informer.UndecodableTypeException;
import dev.informer.client.PartialObjectMetadata;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.reconcilers.ReconcilerOptions;
import dev.informer.reconcilers.Reconcilers;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.Shard;
import dev.informer.spring.InformerCustomizer;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InvalidInformerBeanException;
import dev.informer.spring.InvalidInformerPropertyException;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Default {@link InformerRegistry}. Its factory method creates the informers of the bean
 * definitions. While they run, a non-daemon thread keeps the JVM alive, for applications
 * without a web server. Thread-safe.
 * <p>
 * <b>Concurrency.</b> Start, stop and close exclude each other by a lock. An informer
 * that is registered at the same time does not wait for it: the informer belongs to the
 * factory before {@link #startRegistered} reads {@link #active}, and {@code active} is
 * read again after its start. Either the stop finds the informer, or the informer finds
 * the stop.
 */
public final class DefaultInformerRegistry implements InformerRegistry, DisposableBean {

	/** Name of the bean. */
	public static final String BEAN_NAME = "informerRegistry";

	static final String CREATE_INFORMER = "createInformer";

	private static final Set<String> BUILT_IN_INDICES = Set.of(Lister.OWNER_INDEX, Lister.LABEL_INDEX);

	private final InformerFactory factory;

	private final InformerSettings settings;

	private final Replicas replicas;

	private final ConfigurableListableBeanFactory beanFactory;

	/** Replicas that are not those of a parent context, which starts and stops them. */
	private final Replicas ownReplicas;

	private final Object lock = new Object();

	private final ConcurrentMap<String, Handler> handlers = new ConcurrentHashMap<>();

	private final Set<SharedIndexInformer<?>> registered = ConcurrentHashMap.newKeySet();

	private volatile List<SharedIndexInformer<?>> beans = List.of();

	/** Those of this application, once all singletons exist. */
	private volatile @Nullable Reconcilers reconcilers;

	/** End of the thread that keeps the JVM alive. */
	private CompletableFuture<Void> released = CompletableFuture.completedFuture(null);

	private volatile boolean active;

	private volatile boolean running;

	private volatile boolean closed;

	/** Start that is running, or the last one. */
	private volatile InformerStartup startup;

	public DefaultInformerRegistry(InformerFactory factory, InformerSettings settings, Replicas replicas,
			ConfigurableListableBeanFactory beanFactory) {
		this.factory = factory;
		this.settings = settings;
		this.replicas = replicas;
		this.beanFactory = beanFactory;
		boolean own = beanFactory.getBeanNamesForType(Replicas.class, true, false).length > 0;
		this.ownReplicas = own ? replicas : Replicas.NONE;
		this.startup = newStartup();
	}

	private InformerStartup newStartup() {
		return new InformerStartup(this.factory, this.settings, this, this.ownReplicas, () -> this.active);
	}

	/**
	 * Return the manifest with all rights of the application.
	 */
	String rights() {
		return this.beanFactory.getBean(RequiredRights.class).manifest();
	}

	<T extends KubernetesObject> SharedIndexInformer<T> createInformer(String name, Class<T> type, String group,
			String version, String plural, String kind, boolean namespaced) {
		boolean defaultName = name.equals(plural) && type != PartialObjectMetadata.class;
		SharedIndexInformer<T> informer;
		try {
			informer = this.factory.informer(new ResourceType<>(type, group, version, plural, kind, namespaced),
					(builder) -> {
						this.settings.applyTo(builder, name);
						builder.name(defaultName ? null : name);
					});
		}
		catch (UndecodableTypeException ex) {
			throw ex;
		}
		catch (IllegalArgumentException ex) {
			throw InvalidInformerPropertyException.of("informer.resources." + name, ex);
		}
		this.settings.indices(name).forEach(informer::enableIndex);
		customize(informer);
		return informer;
	}

	/**
	 * Apply the index functions, the transform and the customizers for the type of an
	 * informer.
	 */
	@SuppressWarnings({ "unchecked", "rawtypes" })
	private <T extends KubernetesObject> void customize(SharedIndexInformer<T> informer) {
		Class<T> type = informer.resourceType().type();
		GenericBeanLookup beans = new GenericBeanLookup(this.beanFactory);
		beans.findAll(IndexFunction.class, type)
			.forEach((index, function) -> configure(index, useOtherIndex(index, informer.name()),
					() -> informer.addMultiValueIndex(index, function)));
		List<ObjectTransform> transforms = beans.findMostSpecific(ObjectTransform.class, type);
		if (!transforms.isEmpty()) {
			informer.setTransform((object) -> {
				T transformed = object;
				for (ObjectTransform<T> transform : transforms) {
					transformed = transform.transform(transformed);
				}
				return transformed;
			});
		}
		beans.findAll(InformerCustomizer.class, type)
			.forEach((name, customizer) -> configure(name, "Correct the bean, an InformerCustomizer.",
					() -> customizer.customize(informer)));
	}

	private static void configure(String bean, String action, Runnable configuration) {
		try {
			configuration.run();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidInformerBeanException(bean, String.valueOf(ex.getMessage()), action, ex);
		}
	}

	private static String useOtherIndex(String index, String informer) {
		String builtIn = (BUILT_IN_INDICES.contains(index) && Names.isSimple(informer))
				? ", or use the built-in index: informer.resources." + informer + ".indices=" + index : "";
		return "Give the bean, whose name is that of its index, another name" + builtIn + ".";
	}

	/**
	 * Add the listeners of the context to the factory once all singletons exist, so that
	 * a listener may depend on informers. Collect the reconcilers and the informers that
	 * are beans, and check that every informer that properties name exists. Handlers that
	 * are added then are held until the informers have synced.
	 */
	void collectBeans() {
		Collection<InformerListener> listeners = this.beanFactory.getBeansOfType(InformerListener.class).values();
		this.beanFactory.getBeanProvider(InformerListener.class)
			.orderedStream()
			.filter(listeners::contains)
			.forEach(this.factory::addListener);
		this.reconcilers = this.beanFactory.getBean(Reconcilers.class);
		this.beans = this.beanFactory.getBeansOfType(SharedIndexInformer.class)
			.values()
			.stream()
			.<SharedIndexInformer<?>>map((bean) -> bean)
			.toList();
		List<String> names = informers().stream().map(SharedIndexInformer::name).toList();
		for (String name : this.settings.properties().resources().keySet()) {
			if (!names.contains(name)) {
				throw new InvalidInformerPropertyException("informer.resources." + name,
						"there is no informer of this name; the informers are " + (names.isEmpty() ? "none" : names)
								+ ". It was unknown when the application was built ahead of time, or a bean of the "
								+ "application replaces it",
						Names.suggest(name, names) + "Build the application again, or remove the property.");
			}
		}
		if (this.settings.properties().autoStartup()) {
			holdHandlers();
		}
	}

	<T extends KubernetesObject> void addHandler(InformerHandlerEndpoint endpoint, SharedIndexInformer<T> informer) {
		InformerProperties properties = this.settings.properties();
		InformerProperties.Handler ofInformer = this.settings.handlersOf(informer.name());
		InformerProperties.Handler own = properties.handlers()
			.getOrDefault(endpoint.id(), InformerProperties.Handler.NONE);
		AtomicReference<InvocationGate> gate = new AtomicReference<>();
		HandlerRegistration registration;
		try {
			registration = informer.addHandler(endpoint.handler(), (builder) -> {
				builder.resyncPeriod(properties.defaults().resyncPeriod());
				ofInformer.applyTo(builder);
				endpoint.applyTo(builder);
				own.applyTo(builder);
				this.replicas.applyTo(builder, endpoint, informer, List.of(own, endpoint.options(), ofInformer));
				gate.set(builder.build().gate());
			});
		}
		catch (IllegalArgumentException ex) {
			throw endpoint.invalid("its attributes and properties do not fit together: " + ex.getMessage(),
					"Change its attributes, or the properties below " + Names.handlerKey(endpoint.id())
							+ " or informer.resources.<name>.handler.");
		}
		this.handlers.put(endpoint.id(), new Handler(registration, informer, Objects.requireNonNull(gate.get())));
	}

	/**
	 * Add a reconciler that is a method of a bean; the callback adds its other informers.
	 */
	<T extends KubernetesObject> void addReconciler(ReconcilerEndpoint endpoint, SharedIndexInformer<T> primaries,
			Consumer<ReconcilerOptions.Builder<T>> informers) {
		InformerProperties properties = this.settings.properties();
		InformerProperties.Reconciler defaults = properties.defaults().reconciler();
		InformerProperties.Reconciler own = properties.reconcilers()
			.getOrDefault(endpoint.id(), InformerProperties.Reconciler.NONE);
		InvocationGate gate = this.replicas.gate(endpoint, primaries, List.of(own, endpoint.options(), defaults));
		try {
			Objects.requireNonNull(this.reconcilers)
				.add(primaries, endpoint.method().reconciler(endpoint), (builder) -> {
					defaults.applyTo(builder);
					endpoint.options().applyTo(builder);
					own.applyTo(builder);
					endpoint.applyTo(builder);
					informers.accept(builder.gate(gate));
				});
		}
		catch (IllegalArgumentException ex) {
			throw endpoint.invalid("its attributes and properties do not fit together: " + ex.getMessage(),
					"Change its attributes, or the properties below " + Names.reconcilerKey(endpoint.id())
							+ " or informer.defaults.reconciler.");
		}
	}

	InformerSettings settings() {
		return this.settings;
	}

	/**
	 * Return the lifecycle of the delivery to handlers, which ends before that of this
	 * registry.
	 */
	public HandlerDelivery handlerDelivery() {
		return new HandlerDelivery();
	}

	@Override
	public List<SharedIndexInformer<?>> informers() {
		Set<SharedIndexInformer<?>> informers = new LinkedHashSet<>(this.factory.informers());
		informers.addAll(this.beans);
		return List.copyOf(informers);
	}

	@Override
	@SuppressWarnings("unchecked")
	public <T extends KubernetesObject> SharedIndexInformer<T> informer(String name, Class<T> type) {
		SharedIndexInformer<?> informer = get(name);
		if (informer.resourceType().type() != type) {
			throw new IllegalArgumentException("the informer '" + name + "' has objects of type "
					+ informer.resourceType().type().getName() + ", not " + type.getName());
		}
		return (SharedIndexInformer<T>) informer;
	}

	private SharedIndexInformer<?> get(String name) {
		List<String> names = informers().stream().map(SharedIndexInformer::name).toList();
		return findInformer(name).orElseThrow(() -> new IllegalArgumentException(
				"there is no informer '" + name + "'; the informers are " + (names.isEmpty() ? "none" : names)));
	}

	@Override
	public <T extends KubernetesObject> SharedIndexInformer<T> register(ResourceType<T> resourceType,
			Consumer<InformerOptions.Builder> options) {
		SharedIndexInformer<T> informer = newInformer(resourceType, options);
		try {
			customize(informer);
			startRegistered(informer);
		}
		catch (RuntimeException | Error ex) {
			// Otherwise the name would be taken by an informer that never starts
			this.factory.remove(informer);
			this.registered.remove(informer);
			throw ex;
		}
		return informer;
	}

	private <T extends KubernetesObject> SharedIndexInformer<T> newInformer(ResourceType<T> resourceType,
			Consumer<InformerOptions.Builder> options) {
		synchronized (this.registered) {
			List<SharedIndexInformer<?>> before = informers();
			SharedIndexInformer<T> informer = this.factory.informer(resourceType, options);
			if (before.stream().anyMatch((each) -> each.name().equals(informer.name()))) {
				if (!before.contains(informer)) {
					this.factory.remove(informer);
				}
				throw new IllegalArgumentException("there is an informer '" + informer.name()
						+ "' already; choose another name for the one of " + resourceType + " by options.name(...)");
			}
			this.registered.add(informer);
			return informer;
		}
	}

	@Override
	public void remove(String name) {
		SharedIndexInformer<?> informer = get(name);
		if (this.beans.contains(informer)) {
			throw new IllegalArgumentException("the informer '" + name + "' is a bean and cannot be removed: pause its "
					+ "handlers or stop it, or use InformerRegistry.register for temporary informers");
		}
		this.factory.remove(informer);
		this.registered.remove(informer);
		this.handlers.values().removeIf((handler) -> handler.informer() == informer);
	}

	@Override
	public boolean isRequired(SharedIndexInformer<?> informer) {
		// an informer that selects the namespaces of others is awaited as a part of these
		return !this.registered.contains(informer) && this.settings.isRequired(informer.name())
				&& informers().stream()
					.flatMap((each) -> each.namespaceInformer().stream())
					.noneMatch((each) -> each == informer);
	}

	/**
	 * Return the required informers that have not synced yet.
	 */
	public List<SharedIndexInformer<?>> awaitedInformers() {
		return informers().stream().filter((informer) -> isRequired(informer) && !informer.hasSynced()).toList();
	}

	/**
	 * Return the handlers that the startup waits for, and that have not received the
	 * initial list yet. Paused, leader-only and sharded handlers may receive it at any
	 * later time, or never.
	 */
	public List<HandlerRegistration> awaitedHandlers() {
		if (!this.settings.startup().awaitHandlers()) {
			return List.of();
		}
		return this.handlers.values()
			.stream()
			.filter((handler) -> handler.exists() && isRequired(handler.informer())
					&& handler.gate() == InvocationGate.OPEN && Shard.of(handler.informer().options()).isEmpty())
			.map(Handler::registration)
			.filter((registration) -> !registration.isPaused() && !registration.hasSynced())
			.toList();
	}

	@Override
	public boolean awaitHandlersIdle(Duration timeout) throws InterruptedException {
		long deadline = System.nanoTime() + TimeSource.nanos(timeout);
		boolean idle = false;
		while (!idle) {
			idle = true;
			for (HandlerRegistration handler : activeHandlers()) {
				if (!handler.awaitIdle(Duration.ZERO)) {
					// this handler may cause events of another one, so check all of them
					// again
					idle = false;
					Duration left = Duration.ofNanos(deadline - System.nanoTime());
					if (left.isNegative() || (!handler.awaitIdle(left) && !handler.isPaused())) {
						return false;
					}
				}
			}
		}
		return true;
	}

	private List<HandlerRegistration> activeHandlers() {
		return Stream
			.concat(informers().stream().flatMap((informer) -> informer.handlers().stream()),
					this.handlers.values().stream().filter(Handler::exists).map(Handler::registration))
			.distinct()
			.filter((handler) -> !handler.isPaused() && !isLedByOther(handler))
			.toList();
	}

	private boolean isLedByOther(HandlerRegistration registration) {
		return this.handlers.values()
			.stream()
			.filter((handler) -> handler.registration() == registration)
			.flatMap((handler) -> Leadership.of(handler.gate()).stream())
			.anyMatch((leadership) -> !leadership.isLeader());
	}

	@Override
	public List<String> handlerIds() {
		return this.handlers.keySet().stream().filter((id) -> findHandler(id).isPresent()).sorted().toList();
	}

	@Override
	public Optional<HandlerRegistration> findHandler(String id) {
		return Optional.ofNullable(this.handlers.get(id)).filter(Handler::exists).map(Handler::registration);
	}

	@Override
	public boolean isAutoStartup() {
		return this.settings.properties().autoStartup();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * Start a registered informer if the others are started.
	 */
	private void startRegistered(SharedIndexInformer<?> informer) {
		if (this.active) {
			keepAlive();
			informer.start();
			if (!this.active) {
				informer.stop(Duration.ZERO);
				release();
			}
		}
	}

	private synchronized void keepAlive() {
		if (this.released.isDone()) {
			this.released = new CompletableFuture<>();
			Thread thread = new Thread(this.released::join, "informer-keep-alive");
			thread.setDaemon(false);
			thread.start();
		}
	}

	private synchronized void release() {
		this.released.complete(null);
	}

	@Override
	public void start() {
		synchronized (this.lock) {
			if (this.running) {
				return;
			}
			this.active = true;
			InformerStartup current = newStartup();
			this.startup = current;
			try {
				if (this.closed) {
					throw new IllegalStateException("Cannot start the informers: their context is closed");
				}
				holdHandlers();
				if (informers().isEmpty()) {
					startReconcilers();
				}
				else {
					current.run();
					keepAlive();
				}
				this.ownReplicas.start(this.settings.startup(), this::rights);
			}
			catch (RuntimeException | Error ex) {
				// An Error, for example no memory for another thread, leaves no half
				// start
				stopInformers(Duration.ZERO);
				throw ex;
			}
			finally {
				this.factory.releaseHandlers();
			}
			this.running = true;
		}
	}

	/**
	 * Start the reconcilers, unless the informers were stopped. Either the stop finds
	 * them running, or this thread finds that it was stopped.
	 */
	void startReconcilers() {
		Reconcilers current = this.reconcilers;
		if (current != null && this.active) {
			current.start();
			if (!this.active) {
				stopReconcilers(Duration.ZERO);
			}
		}
	}

	/**
	 * Stop the reconcilers, whose running calls have the timeout to end. Before the
	 * handlers, which are not interrupted meanwhile.
	 */
	private void stopReconcilers(Duration timeout) {
		Reconcilers current = this.reconcilers;
		try {
			if (current != null) {
				current.stop(timeout);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Hold the handlers until the required informers have synced, unless the settings
	 * exclude it. Also before the start: a bean that starts an informer while it is
	 * created, as the discovery of Spring Cloud Kubernetes does, starts no delivery.
	 */
	private void holdHandlers() {
		if (this.settings.startup().deliverAfterSync()) {
			this.factory.holdHandlers(this.factory.informers().stream().filter(this::isRequired).toList());
		}
	}

	/**
	 * Stop the informers. A start that is running on another thread fails.
	 */
	@Override
	public void stop() {
		this.startup.cancel();
		synchronized (this.lock) {
			if (this.running) {
				stopInformers(this.settings.drainTimeout());
				this.running = false;
			}
		}
	}

	/**
	 * Stop the informers finally. A start that is running on another thread fails.
	 */
	@Override
	public void destroy() {
		this.closed = true;
		this.startup.cancel();
		synchronized (this.lock) {
			stopInformers(Duration.ZERO);
			this.running = false;
		}
	}

	private void stopInformers(Duration drain) {
		this.active = false;
		this.startup.cancel();
		release();
		long deadline = System.nanoTime() + TimeSource.nanos(drain);
		stopReconcilers(drain);
		this.factory.stop(until(deadline));
		List<SharedIndexInformer<?>> stopped = this.factory.informers();
		informers().stream()
			.filter((informer) -> !stopped.contains(informer))
			.forEach((informer) -> informer.stop(until(deadline)));
		// after the handlers: a Lease is not released while an invocation is running
		this.ownReplicas.stop(until(deadline));
	}

	@Override
	public void stop(Runnable callback) {
		stopSeparately("informer-stop", this::stop, callback);
	}

	static Duration until(long deadline) {
		return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
	}

	/**
	 * Stop on a separate thread, so that the other beans of the same phase stop in
	 * parallel and the context waits no longer than the timeout of the phase. A handler
	 * that closes the context stops on its own thread: only there a stop does not wait
	 * for the invocation that it is part of.
	 */
	private static void stopSeparately(String name, Runnable stop, Runnable callback) {
		Runnable task = () -> {
			try {
				stop.run();
			}
			finally {
				callback.run();
			}
		};
		if (Thread.currentThread().getName().startsWith("informer-")) {
			task.run();
			return;
		}
		Thread thread = new Thread(task, name);
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Lifecycle of the delivery to handlers. Delivery stops before everything that
	 * handlers and reconcilers may need: pending events are delivered and running calls
	 * end until the drain timeout, then they are interrupted. The caches follow the
	 * server until the registry stops, which is after the web server, so that requests in
	 * progress read current data. The registry starts the delivery.
	 */
	public final class HandlerDelivery implements SmartLifecycle {

		/**
		 * The phase of this lifecycle: stops before the graceful shutdown of web servers
		 * and before beans of the default phase.
		 */
		public static final int PHASE = DEFAULT_PHASE - 100;

		private HandlerDelivery() {
		}

		@Override
		public int getPhase() {
			return PHASE;
		}

		@Override
		public boolean isAutoStartup() {
			return DefaultInformerRegistry.this.settings.properties().autoStartup();
		}

		@Override
		public boolean isRunning() {
			return DefaultInformerRegistry.this.running && !DefaultInformerRegistry.this.factory.areHandlersSuspended();
		}

		/**
		 * Resume the delivery if it was suspended while the informers were running.
		 */
		@Override
		public void start() {
			if (DefaultInformerRegistry.this.factory.areHandlersSuspended()) {
				DefaultInformerRegistry.this.factory.releaseHandlers();
				startReconcilers();
				DefaultInformerRegistry.this.ownReplicas.start(DefaultInformerRegistry.this.settings.startup(),
						DefaultInformerRegistry.this::rights);
			}
		}

		@Override
		public void stop(Runnable callback) {
			stopSeparately("informer-delivery-stop", this::stop, callback);
		}

		@Override
		public void stop() {
			Duration timeout = DefaultInformerRegistry.this.settings.drainTimeout();
			long deadline = System.nanoTime() + TimeSource.nanos(timeout);
			stopReconcilers(timeout);
			try {
				// logs the handlers that it interrupts
				DefaultInformerRegistry.this.factory.suspendHandlers(until(deadline));
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			DefaultInformerRegistry.this.ownReplicas.stop(until(deadline));
		}

	}

	/**
	 * Handler that is a method of a bean.
	 */
	private record Handler(HandlerRegistration registration, SharedIndexInformer<?> informer, InvocationGate gate) {

		boolean exists() {
			return this.informer.handlers().contains(this.registration);
		}

	}

}
