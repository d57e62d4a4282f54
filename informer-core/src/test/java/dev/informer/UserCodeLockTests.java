/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.informer.client.ResourceType;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.testing.NoThreadLeft;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls every public method from every callback, on another thread that the callback
 * waits for. So code of the user that ran under a lock would be a deadlock.
 */
@ExtendWith(NoThreadLeft.class)
@Timeout(120)
class UserCodeLockTests {

	/** Time after which a method that has not returned counts as deadlocked. */
	private static final Duration DEADLINE = Duration.ofSeconds(30);

	/** Argument of the methods that wait; it is not reached unless they have to. */
	private static final Duration SHORT = Duration.ofMillis(50);

	private static final List<Class<?>> API = List.of(InformerFactory.class, SharedIndexInformer.class,
			HandlerRegistration.class, Lister.class);

	/** Methods after which others have little to do: called last. */
	private static final Set<String> LAST = Set.of("pause", "holdHandlers", "suspendHandlers", "stop", "remove",
			"close");

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes.start();

	private final AtomicBoolean entered = new AtomicBoolean();

	private final AtomicBoolean left = new AtomicBoolean();

	private final List<String> deadlocked = new CopyOnWriteArrayList<>();

	private final AtomicInteger threads = new AtomicInteger();

	private final AtomicInteger names = new AtomicInteger();

	private final AtomicBoolean failing = new AtomicBoolean(true);

	private volatile String callback = "";

	private volatile @Nullable InformerFactory factory;

	private volatile @Nullable SharedIndexInformer<V1ConfigMap> informer;

	private volatile @Nullable HandlerRegistration registration;

	@BeforeEach
	void createObject() {
		this.kubernetes.create(Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata",
				Map.of("namespace", "default", "name", "a"), "data", Map.of()));
	}

	@AfterEach
	void close() {
		InformerFactory current = this.factory;
		if (current != null) {
			current.close();
		}
		this.kubernetes.close();
	}

	static Stream<String> callbacks() {
		Stream<String> events = Arrays.stream(InformerEvent.class.getPermittedSubclasses())
			.map((type) -> "listener of " + type.getSimpleName());
		Stream<String> threads = Stream.of(1, 2, 3, 4).map((number) -> "thread factory, thread " + number);
		Stream<String> objects = Stream.of("reflector", "store", "handler-probed")
			.map((thread) -> "object on thread " + thread);
		Stream<String> others = Stream.of("index function", "transform", "supplier of the connection",
				"informer options", "handler options", "interceptor", "handler", "filter", "error handler",
				"action after the sync");
		return Stream.of(events, threads, objects, others).flatMap((each) -> each);
	}

	@ParameterizedTest
	@MethodSource("callbacks")
	void everyMethod_calledOnAnotherThread_returns(String callback) {
		this.callback = callback;
		liveOnce();
		await().until(this.left::get);
		assertThat(this.deadlocked).isEmpty();
	}

	/**
	 * Make informers and handlers do everything that calls back. The methods that are
	 * called then may close them at any time.
	 */
	private void liveOnce() {
		InformerFactory current = InformerFactory.create(() -> {
			enter("supplier of the connection");
			return new ApiClient().setBasePath(this.kubernetes.url());
		}, (settings) -> settings.threadFactory(this::newThread)
			.addListener((event) -> enter("listener of " + event.getClass().getSimpleName()))
			.interceptor((informer, handler, event, invocation) -> {
				enter("interceptor");
				invocation.proceed();
			}));
		this.factory = current;
		// only with a selector do namespaces join
		String namespaces = this.callback.contains("NamespacesChanged") ? "!missing" : null;
		SharedIndexInformer<V1ConfigMap> configMaps = current.informer(V1ConfigMap.class,
				(options) -> options.namespaceSelector(namespaces));
		this.informer = configMaps;
		this.registration = configMaps.addHandler((event) -> {
		});
		ifOpen(() -> current.informer(V1Node.class, (options) -> enter("informer options")));
		ifOpen(() -> configMaps.setTransform((object) -> {
			enter("transform");
			return new Probe(object);
		}));
		ifOpen(() -> configMaps.addIndex("probed", (object) -> {
			enter("index function");
			return "value";
		}));
		ifOpen(() -> addProbedHandler(configMaps));
		ifOpen(configMaps::start);
		update(1);
		await().until(() -> this.left.get() || configMaps.state().phase() == InformerState.Phase.WATCHING);
		update(2);
		ifOpen(configMaps::relist);
		await().until(() -> this.left.get() || configMaps.state().phase() == InformerState.Phase.WATCHING);
		update(3);
		await().until(() -> this.left.get() || !this.failing.get());
		if (!this.callback.contains("Removed") && !this.callback.contains("WatchEnded")) {
			await().until(this.left::get);
		}
		configMaps.close();
	}

	private void addProbedHandler(SharedIndexInformer<V1ConfigMap> configMaps) {
		configMaps.addHandler((event) -> {
			enter("handler");
			if (this.failing.getAndSet(false)) {
				throw new IllegalStateException("for the test");
			}
		}, (options) -> {
			enter("handler options");
			options.name("probed")
				.retry(new RetryPolicy(2, Duration.ofMillis(1), 1, Duration.ofMillis(1), Duration.ZERO))
				.filter((object) -> {
					enter("filter");
					return true;
				})
				.errorHandler((failure) -> enter("error handler"));
		}).whenSynced(() -> enter("action after the sync"));
	}

	private void update(int number) {
		this.kubernetes.mergePatch("configmaps", "default", "a", Map.of("data", Map.of("number", "" + number)));
	}

	/**
	 * Run a step, which a call may have made impossible.
	 */
	private void ifOpen(Runnable step) {
		try {
			step.run();
		}
		catch (IllegalStateException | IllegalArgumentException ex) {
			assertThat(this.entered).isTrue();
		}
	}

	private Thread newThread(Runnable task) {
		enter("thread factory, thread " + this.threads.incrementAndGet());
		return new Thread(task);
	}

	private void enter(String current) {
		if (current.equals(this.callback) && this.entered.compareAndSet(false, true)) {
			try {
				callAll();
			}
			finally {
				this.left.set(true);
			}
		}
	}

	private void callAll() {
		List<Method> methods = API.stream()
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.filter((method) -> !Modifier.isStatic(method.getModifiers()))
			.toList();
		callAtOnce(methods.stream().filter((method) -> !LAST.contains(method.getName())).toList());
		callAtOnce(methods.stream().filter((method) -> LAST.contains(method.getName())).toList());
	}

	private void callAtOnce(List<Method> methods) {
		Map<Method, Thread> started = new LinkedHashMap<>();
		methods.forEach((method) -> started.put(method, call(method)));
		long deadline = System.nanoTime() + DEADLINE.toNanos();
		started.forEach((method, thread) -> {
			join(thread, deadline);
			if (thread.isAlive()) {
				this.deadlocked.add(method.toGenericString() + " at " + Arrays.toString(thread.getStackTrace()));
				thread.interrupt();
			}
		});
	}

	private static void join(Thread thread, long deadline) {
		while (thread.isAlive() && System.nanoTime() < deadline) {
			try {
				TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, deadline - System.nanoTime()));
			}
			catch (InterruptedException ex) {
				// from a stop of the informer, which does not end the wait of this
				// callback
			}
		}
	}

	private Thread call(Method method) {
		Thread thread = new Thread(() -> {
			try {
				Object target = target(method.getDeclaringClass());
				if (target != null) {
					method.invoke(target, Arrays.stream(method.getParameterTypes()).map(this::argument).toArray());
				}
			}
			catch (InvocationTargetException ex) {
				// only whether the method returns matters
			}
			catch (IllegalAccessException ex) {
				throw new IllegalStateException(ex);
			}
		});
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	private @Nullable Object target(Class<?> type) {
		SharedIndexInformer<V1ConfigMap> current = this.informer;
		if (type == InformerFactory.class) {
			return this.factory;
		}
		if (type == HandlerRegistration.class) {
			return this.registration;
		}
		return (type == Lister.class && current != null) ? current.lister() : current;
	}

	private Object argument(Class<?> type) {
		Map<Class<?>, Object> arguments = Map.of(Duration.class, SHORT, Class.class, V1Node.class, Collection.class,
				(this.informer != null) ? List.of(this.informer) : List.of(), ResourceType.class,
				ResourceType.of(V1Node.class));
		if (type == String.class) {
			return "name" + this.names.incrementAndGet();
		}
		if (type == SharedIndexInformer.class) {
			return (this.informer != null) ? this.informer : new Object();
		}
		if (type.isInterface() && !arguments.containsKey(type)) {
			return callbackOf(type);
		}
		return arguments.getOrDefault(type, new V1ConfigMap().metadata(new V1ObjectMeta().namespace("ns").name("b")));
	}

	/**
	 * Return a callback that does nothing.
	 */
	private static Object callbackOf(Class<?> type) {
		if (type.isAssignableFrom(V1ConfigMap.class)) {
			return new V1ConfigMap().metadata(new V1ObjectMeta().namespace("ns").name("b"));
		}
		return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type },
				(proxy, method, arguments) -> switch (method.getName()) {
					case "toString" -> type.getSimpleName();
					case "hashCode" -> System.identityHashCode(proxy);
					case "equals" -> proxy == arguments[0];
					case "transform" -> arguments[0];
					case "values" -> List.of();
					default -> null;
				});
	}

	/**
	 * Object that calls back when it is looked at.
	 */
	private final class Probe extends V1ConfigMap {

		Probe(V1ConfigMap object) {
			setApiVersion(object.getApiVersion());
			setKind(object.getKind());
			setMetadata(object.getMetadata());
			setData(object.getData());
		}

		@Override
		public V1ObjectMeta getMetadata() {
			enter("object on thread " + Thread.currentThread().getName().replaceFirst("informer-configmaps-", ""));
			return super.getMetadata();
		}

		@Override
		public boolean equals(Object other) {
			enter("object on thread " + Thread.currentThread().getName().replaceFirst("informer-configmaps-", ""));
			return super.equals(other);
		}

		@Override
		public int hashCode() {
			return super.hashCode();
		}

	}

}
