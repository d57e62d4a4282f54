/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.informer.InformerState.Phase;
import dev.informer.client.Moment;
import dev.informer.client.TimeSource;
import dev.informer.test.EmbeddedKubernetes;
import dev.informer.test.Fault;
import dev.informer.test.Verb;
import dev.informer.test.support.TestObjects;
import dev.informer.testing.EventLog;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static dev.informer.test.support.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for durations that are too long for nanoseconds, and for negative ones. The
 * methods and options that take a duration are found by reflection.
 */
@Timeout(120)
class EndlessDurationTests {

	private static final List<Duration> ENDLESS = List.of(ChronoUnit.FOREVER.getDuration(),
			Duration.ofSeconds(Long.MAX_VALUE));

	private static final List<Duration> NEGATIVE = List.of(Duration.ofSeconds(-1), Duration.ofSeconds(Long.MIN_VALUE));

	/** Types that informers create or call; a user passes no duration to them. */
	private static final List<Class<?>> USED_BY_INFORMERS = List.of(InformerEvent.Listed.class,
			InformerEvent.Synced.class, InformerEvent.HandlerInvoked.class, InformerEvent.EventDelivered.class,
			HandlerFailure.class, HandlerRegistration.Invocation.class);

	private static final Map<Class<?>, Record> OPTIONS = Map.of(BackoffPolicy.class, BackoffPolicy.DEFAULT,
			RetryPolicy.class, RetryPolicy.DEFAULT, InformerOptions.class, InformerOptions.DEFAULT,
			HandlerOptions.class, HandlerOptions.defaults());

	private final EmbeddedKubernetes kubernetes = EmbeddedKubernetes
		.start((options) -> options.bookmarkInterval(Duration.ofMillis(50)));

	private final InformerFactory informers = InformerFactory
		.create(new ApiClient().setBasePath(this.kubernetes.url()));

	private final CountDownLatch blocked = new CountDownLatch(1);

	private final CountDownLatch released = new CountDownLatch(1);

	@AfterEach
	void close() {
		this.released.countDown();
		this.informers.close();
		this.kubernetes.close();
	}

	static Stream<Arguments> endlessWaits() {
		return ENDLESS.stream().flatMap((duration) -> waits().map((method) -> Arguments.of(duration, method)));
	}

	static Stream<Arguments> negativeWaits() {
		return NEGATIVE.stream().flatMap((duration) -> waits().map((method) -> Arguments.of(duration, method)));
	}

	private static Stream<Named<Method>> waits() {
		return publicTypes().filter((type) -> !USED_BY_INFORMERS.contains(type))
			.flatMap((type) -> Stream.of(type.getDeclaredMethods()))
			.filter((method) -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
			.filter((method) -> List.of(method.getParameterTypes()).contains(Duration.class))
			.filter((method) -> method.getReturnType() != method.getDeclaringClass())
			.map((method) -> Named.of(method.getDeclaringClass().getSimpleName() + "." + method.getName(), method));
	}

	static Stream<Class<? extends Record>> options() {
		return publicTypes().filter(Class::isRecord)
			.filter((type) -> !USED_BY_INFORMERS.contains(type))
			.filter((type) -> Stream.of(type.getRecordComponents())
				.anyMatch((component) -> component.getType() == Duration.class))
			.map((type) -> type.asSubclass(Record.class));
	}

	/**
	 * Return the public types of the package, with their public nested types.
	 */
	private static Stream<Class<?>> publicTypes() {
		Path folder = Path.of(InformerFactory.class.getProtectionDomain().getCodeSource().getLocation().getPath(),
				"dev", "informer");
		List<Class<?>> types = Arrays.stream(Objects.requireNonNull(folder.toFile().listFiles()))
			.map(File::getName)
			.filter((name) -> name.endsWith(".class") && !name.equals("package-info.class"))
			.<Class<?>>map((name) -> load("dev.informer." + name.substring(0, name.length() - ".class".length())))
			.filter((type) -> Modifier.isPublic(type.getModifiers()))
			.toList();
		assertThat(types).contains(InformerFactory.class, InformerEvent.Listed.class);
		return types.stream();
	}

	private static Class<?> load(String name) {
		try {
			return Class.forName(name, false, EndlessDurationTests.class.getClassLoader());
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@ParameterizedTest
	@MethodSource("endlessWaits")
	void endlessWait_endsByItsCondition(Duration duration, Method method) throws Exception {
		Object receiver = receiver(method);
		FutureTask<Object> call = new FutureTask<>(() -> method.invoke(receiver, arguments(method, duration)));
		Thread thread = new Thread(call);
		thread.start();
		await().until(() -> call.isDone() || thread.getState() == Thread.State.TIMED_WAITING);
		if (call.isDone()) {
			assertThat(call.get()).as("result before the condition holds").isEqualTo("waiting");
		}
		this.kubernetes.faults().clear();
		this.released.countDown();
		assertThat(call.get(60, TimeUnit.SECONDS)).isIn(true, null);
	}

	@ParameterizedTest
	@MethodSource("negativeWaits")
	void negativeWait_endsAtOnce(Duration duration, Method method) throws Exception {
		Object receiver = receiver(method);
		assertThat(method.invoke(receiver, arguments(method, duration))).isIn(false, null);
	}

	/**
	 * Return an object of the API whose waits do not end: a handler is blocked, and an
	 * informer cannot sync.
	 */
	private Object receiver(Method method) throws InterruptedException {
		this.kubernetes.faults().always(Verb.LIST, "configmaps", Fault.status(403));
		this.kubernetes.faults().always(Verb.WATCH, "configmaps", Fault.status(403));
		SharedIndexInformer<V1ConfigMap> configMaps = this.informers.informer(V1ConfigMap.class,
				(options) -> options.backoff(new BackoffPolicy(Duration.ofMillis(10), 1, Duration.ofMillis(10),
						Duration.ZERO, Duration.ofMinutes(1))));
		HandlerRegistration registration = this.informers.informer(V1Namespace.class).addHandler((event) -> {
			this.blocked.countDown();
			this.released.await();
		});
		this.informers.start();
		this.blocked.await();
		await().until(() -> configMaps.state().phase() == Phase.BACKING_OFF);
		Class<?> type = method.getDeclaringClass();
		if (type == InformerFactory.class) {
			return this.informers;
		}
		if (type == SharedIndexInformer.class) {
			return method.getName().equals("stop") ? this.informers.informer(V1Namespace.class) : configMaps;
		}
		assertThat(type).isEqualTo(HandlerRegistration.class);
		return registration;
	}

	private Object[] arguments(Method method, Duration duration) {
		return Stream.of(method.getParameterTypes()).map((type) -> {
			if (type == Duration.class) {
				return duration;
			}
			if (type == Collection.class) {
				return this.informers.informers();
			}
			if (type == KubernetesObject.class) {
				return new V1ConfigMap()
					.metadata(new V1ObjectMeta().namespace("a").name("a").uid("u").resourceVersion("1"));
			}
			assertThat(type).isEqualTo(String.class);
			return "1";
		}).toArray();
	}

	@ParameterizedTest
	@MethodSource("options")
	void endlessOption_isAccepted(Class<? extends Record> type) throws Exception {
		for (Duration duration : ENDLESS) {
			Map<String, Object> values = values(type);
			values.replaceAll((name, value) -> (value instanceof Duration) ? duration : value);
			assertThat(create(type, values)).isNotNull();
		}
	}

	@ParameterizedTest
	@MethodSource("options")
	void negativeOption_isRefusedByName(Class<? extends Record> type) {
		values(type).forEach((name, value) -> {
			if (value instanceof Duration) {
				for (Duration duration : NEGATIVE) {
					Map<String, Object> values = values(type);
					values.put(name, duration);
					assertThatIllegalArgumentException().as(name)
						.isThrownBy(() -> create(type, values))
						.withMessageContaining(TimeSource.millis(duration) + " ms")
						.satisfies((ex) -> assertThat(String.valueOf(ex.getMessage()).replace('-', ' '))
							.contains(name.replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT)));
				}
			}
		});
	}

	private static Map<String, Object> values(Class<? extends Record> type) {
		Record defaults = OPTIONS.get(type);
		assertThat(defaults).as("defaults of " + type).isNotNull();
		Map<String, Object> values = new LinkedHashMap<>();
		for (RecordComponent component : type.getRecordComponents()) {
			try {
				values.put(component.getName(), component.getAccessor().invoke(defaults));
			}
			catch (ReflectiveOperationException ex) {
				throw new IllegalStateException(ex);
			}
		}
		return values;
	}

	private static Record create(Class<? extends Record> type, Map<String, Object> values) throws Exception {
		try {
			return type
				.getConstructor(
						Stream.of(type.getRecordComponents()).map(RecordComponent::getType).toArray(Class<?>[]::new))
				.newInstance(values.values().toArray());
		}
		catch (InvocationTargetException ex) {
			if (ex.getCause() instanceof IllegalArgumentException invalid) {
				throw invalid;
			}
			throw ex;
		}
	}

	@ParameterizedTest
	@MethodSource("endless")
	void endlessMaxima_letInformersRecoverAndHandlersRetry(Duration endless) throws Exception {
		this.kubernetes.faults().next(3, Verb.LIST, "configmaps", Fault.status(500));
		this.kubernetes.faults().next(3, Verb.WATCH, "configmaps", Fault.status(503));
		this.kubernetes.create(configMap("a"));
		EventLog<V1ConfigMap> log = new EventLog<>();
		AtomicInteger failures = new AtomicInteger();
		SharedIndexInformer<V1ConfigMap> configMaps = this.informers.informer(V1ConfigMap.class,
				(options) -> options.watchTimeout(endless)
					.watchIdleTimeout(endless)
					.backoff(new BackoffPolicy(Duration.ofMillis(1), 2, endless, Duration.ofMillis(1), endless)));
		HandlerRegistration handler = configMaps.addHandler((event) -> {
			if (failures.incrementAndGet() <= 3) {
				throw new IllegalStateException("for the test");
			}
			log.handle(event);
		}, (options) -> options.resyncPeriod(endless)
			.retry(new RetryPolicy(5, Duration.ofMillis(1), 2, endless, Duration.ofMillis(1))));
		this.informers.start();
		assertThat(handler.awaitSynced(endless)).isTrue();
		await().until(() -> configMaps.state().phase() == Phase.WATCHING && configMaps.state().failure() == null);
		Moment before = configMaps.lastActivity().orElseThrow();
		// a bookmark arms the idle timeout
		await().until(() -> configMaps.lastActivity().orElseThrow().compareTo(before) > 0);
		this.kubernetes.create(configMap("b"));
		await().until(() -> log.story().size() == 2);
		assertThat(log.story()).containsExactly("ADDED default/a", "ADDED default/b");
		assertThat(configMaps.state().failure()).isNull();
		this.informers.stop(endless);
	}

	@ParameterizedTest
	@MethodSource("endless")
	void endlessDelays_endByRelistAndStop(Duration endless) {
		this.kubernetes.faults().next(1, Verb.LIST, "configmaps", Fault.status(500));
		this.kubernetes.create(configMap("a"));
		SharedIndexInformer<V1ConfigMap> configMaps = this.informers.informer(V1ConfigMap.class,
				(options) -> options.backoff(new BackoffPolicy(endless, Double.MAX_VALUE, endless, endless, endless)));
		HandlerRegistration handler = configMaps.addHandler((event) -> {
			throw new IllegalStateException("for the test");
		}, (options) -> options.retry(new RetryPolicy(5, endless, Double.MAX_VALUE, endless, endless)));
		this.informers.start();
		await().until(() -> configMaps.state().phase() == Phase.BACKING_OFF);
		assertThat(configMaps.state().nextAttempt()).isAfter(Instant.now());
		configMaps.relist();
		await().until(() -> configMaps.state().phase() == Phase.WATCHING);
		await().until(() -> handler.pending() == 1);
		this.informers.stop(Duration.ZERO);
		assertThat(configMaps.state().phase()).isEqualTo(Phase.STOPPED);
	}

	static List<Duration> endless() {
		return ENDLESS;
	}

	@Test
	void retryDelay_isNeverNegativeOrUnlimited() {
		for (Duration delay : List.of(Duration.ZERO, Duration.ofMillis(1), ENDLESS.get(0))) {
			for (double multiplier : new double[] { 1, 2, Double.MAX_VALUE, Double.POSITIVE_INFINITY }) {
				RetryPolicy policy = new RetryPolicy(Integer.MAX_VALUE, delay, multiplier, ENDLESS.get(0),
						Duration.ofMillis(7));
				for (int failures : new int[] { 1, 2, 100, Integer.MAX_VALUE }) {
					assertThat(policy.delay(failures, 0.999)).as(policy + " " + failures)
						.isBetween(Duration.ofMillis(6), Duration.ofDays(366 * 300));
				}
			}
		}
	}

	private static V1ConfigMap configMap(String name) {
		return TestObjects.configMap("default", name);
	}

}
