/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.metrics;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import dev.informer.HandlerRegistration;
import dev.informer.InformerEvent;
import dev.informer.InformerEvent.ListMode;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerFactory;
import dev.informer.InformerFailure;
import dev.informer.InformerListener;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.ResourceEvent;
import dev.informer.SharedIndexInformer;
import dev.informer.client.Moment;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.boot.autoconfigure.connection.KubernetesConnectionAutoConfiguration;
import dev.informer.spring.support.TestInformer;
import dev.informer.spring.support.TestInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link InformerMetricsAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class InformerMetricsAutoConfigurationTests {

	private static final ResourceEvent<V1Deployment> ADDED = new ResourceEvent.Added<>(new V1Deployment(), false);

	private static final String[] TAGS = { "informer", "deployments", "resource", "deployments", "group", "apps",
			"version", "v1" };

	private static final ResourceEvent<V1Deployment> UPDATED = new ResourceEvent.Updated<>(new V1Deployment(),
			new V1Deployment());

	private final TestInformerFactory factory = new TestInformerFactory();

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
				KubernetesConnectionAutoConfiguration.class, InformerMetricsAutoConfiguration.class))
		.withBean(InformerFactory.class, () -> this.factory)
		.withPropertyValues("informer.resources.deployments.required=true");

	@Test
	void credentialsThatAreNotRenewed_areMeasured_onceThereIsAConnection(@TempDir Path folder) throws Exception {
		Path token = Files.writeString(folder.resolve("token"), "first");
		this.contextRunner.withBean(MeterRegistry.class, () -> this.meters)
			.withPropertyValues("informer.connection.url=http://127.0.0.1:1", "informer.connection.token-file=" + token)
			.run((context) -> {
				Gauge failing = this.meters.get("kubernetes.informer.credentials.failing").gauge();
				assertThat(failing.value()).isNaN();
				CoreV1Api api = new CoreV1Api(context.getBean(ApiClient.class));
				assertThatExceptionOfType(ApiException.class).isThrownBy(() -> api.listNamespace().execute());
				assertThat(failing.value()).isZero();
				Files.delete(token);
				assertThatExceptionOfType(ApiException.class).isThrownBy(() -> api.listNamespace().execute());
				assertThat(failing.value()).isOne();
			});
	}

	@Test
	void everyEvent_isMeasured() {
		this.contextRunner.withBean(MeterRegistry.class, () -> this.meters).run((context) -> {
			InformerListener listener = this.factory.listener();
			SharedIndexInformer<V1Deployment> informer = addHandler(context);
			assertThat(counter("errors", "watched.namespace", "*", "handler", "none", "kind", "unreachable")).isZero();
			assertThat(counter("errors", "watched.namespace", "*", "handler", "audit", "kind", "handler")).isZero();
			assertThat(counter("watches", "watched.namespace", "*", "reason", "broken")).isZero();
			assertThat(counter("relists", "watched.namespace", "*", "reason", "rollback")).isZero();
			listener.onEvent(new InformerEvent.Listed(informer, "", ListMode.PAGES, Duration.ofSeconds(1), true));
			listener.onEvent(new InformerEvent.Listed(informer, "shop", ListMode.STREAM, Duration.ofSeconds(1), false));
			listener.onEvent(new InformerEvent.WatchEnded(informer, "", WatchEnd.CLOSED));
			listener.onEvent(new InformerEvent.Relisting(informer, "", RelistReason.EXPIRED));
			assertThat(counter("errors", "watched.namespace", "*", "handler", "none", "kind", "undecodable_object"))
				.isZero();
			assertThat(counter("errors", "watched.namespace", "*", "handler", "audit", "kind",
					"handler_retries_exhausted"))
				.isZero();
			listener.onEvent(new InformerEvent.Failed(informer, null, "audit", new InformerFailure(
					InformerFailure.Kind.HANDLER, "oops", Instant.EPOCH, new IllegalStateException())));
			listener.onEvent(new InformerEvent.Synced(informer, Duration.ofSeconds(2)));
			listener.onEvent(new InformerEvent.CacheChanged(informer, ResourceEvent.Type.ADDED));
			listener
				.onEvent(new InformerEvent.HandlerInvoked(informer, "audit", ADDED, Duration.ofSeconds(3), 1, null));
			listener.onEvent(new InformerEvent.HandlerInvoked(informer, "audit", ADDED, Duration.ofSeconds(3), 1,
					new IllegalStateException()));
			listener.onEvent(new InformerEvent.HandlerInvoked(informer, "audit", UPDATED, Duration.ofSeconds(3), 2,
					new IllegalStateException()));
			listener
				.onEvent(new InformerEvent.HandlerInvoked(informer, "audit", UPDATED, Duration.ofSeconds(3), 3, null));
			listener.onEvent(new InformerEvent.EventDelivered(informer, "audit", UPDATED, Duration.ofSeconds(4)));
			assertThat(counter("handler.retries", "handler", "audit")).isEqualTo(2);
			assertThat(timers("delivery.lag", "handler", "audit", "event", "updated")).isEqualTo(1);
			assertThat(timers("lists", "watched.namespace", "*", "outcome", "success")).isEqualTo(1);
			assertThat(timers("lists", "watched.namespace", "shop", "outcome", "error")).isEqualTo(1);
			assertThat(counter("watches", "watched.namespace", "*", "reason", "closed")).isEqualTo(1);
			assertThat(counter("relists", "watched.namespace", "*", "reason", "expired")).isEqualTo(1);
			assertThat(counter("errors", "watched.namespace", "*", "handler", "audit", "kind", "handler")).isEqualTo(1);
			assertThat(counter("events", "event", "added")).isEqualTo(1);
			assertThat(counter("events", "event", "deleted")).isZero();
			assertThat(timers("handler.calls", "handler", "audit", "event", "added", "outcome", "success"))
				.isEqualTo(1);
			assertThat(timers("handler.calls", "handler", "audit", "event", "added", "outcome", "error")).isEqualTo(1);
			assertThat(gauge("sync.time")).isEqualTo(2);
			assertThat(gauge("synced")).isEqualTo(1);
			assertThat(gauge("store.size")).isZero();
			assertThat(gauge("queue.depth")).isZero();
			assertThat(gauge("protobuf")).isEqualTo(1);
			assertThat(gauge("last.activity.age")).isBetween(0.0, 60.0);
		});
	}

	@Test
	void metersOfNamespaces_areAddedAndRemovedWithThem(CapturedOutput output) {
		this.contextRunner.withBean(MeterRegistry.class, () -> this.meters)
			.withPropertyValues("informer.resources.deployments.namespace-selector=team=platform")
			.run((context) -> {
				InformerListener listener = this.factory.listener();
				SharedIndexInformer<V1Deployment> informer = addHandler(context);
				listener.onEvent(new InformerEvent.NamespacesChanged(informer, Set.of("shop", "bank")));
				assertThat(
						counter("errors", "watched.namespace", "shop", "handler", "none", "kind", "undecodable_object"))
					.isZero();
				listener
					.onEvent(new InformerEvent.Listed(informer, "shop", ListMode.PAGES, Duration.ofSeconds(1), true));
				assertThat(timers("lists", "watched.namespace", "shop", "outcome", "success")).isEqualTo(1);
				listener.onEvent(new InformerEvent.NamespacesChanged(informer, Set.of("bank")));
				listener.onEvent(new InformerEvent.WatchEnded(informer, "shop", WatchEnd.BROKEN));
				assertThat(this.meters.getMeters())
					.noneMatch((meter) -> "shop".equals(meter.getId().getTag("watched.namespace")));
				assertThat(
						counter("errors", "watched.namespace", "bank", "handler", "none", "kind", "undecodable_object"))
					.isZero();
				assertThat(counter("errors", "watched.namespace", "*", "handler", "audit", "kind",
						"handler_retries_exhausted"))
					.isZero();
				assertThat(gauge("namespaces")).isZero();
				assertThat(gauge("idle", "watched.namespace", "bank")).isZero();
				assertThat(gauge("idle", "watched.namespace", "*")).isZero();
				listener.onEvent(new InformerEvent.NamespacesChanged(informer, Set.of("shop", "bank")));
				assertThat(gauge("idle", "watched.namespace", "shop")).isZero();
				assertThat(output).doesNotContain("already registered");
			});
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, -2 })
	void ageOfLastActivity_isMeasuredAlsoWhenTheClockIsSet(int hours) {
		this.contextRunner.withBean(MeterRegistry.class, () -> this.meters).run((context) -> {
			addHandler(context);
			Moment now = TimeSource.SYSTEM.moment();
			TestInformer<?> informer = context.getBean("deploymentsInformer", TestInformer.class);
			informer.setLastActivity(new Moment(now.time().minus(Duration.ofHours(hours)),
					now.nanoTime() - Duration.ofSeconds(100).toNanos()));
			assertThat(gauge("last.activity.age")).isBetween(100.0, 160.0);
		});
	}

	@Test
	void metersOfHandlers_areAddedAndRemoved() {
		this.contextRunner.withBean(MeterRegistry.class, () -> this.meters).run((context) -> {
			InformerListener listener = this.factory.listener();
			SharedIndexInformer<V1Deployment> informer = addHandler(context);
			HandlerRegistration handler = informer.handlers().get(0);
			assertThat(gauge("handler.pending", "handler", "audit")).isEqualTo(3);
			assertThat(gauge("handler.active", "handler", "audit")).isEqualTo(1);
			assertThat(gauge("handler.paused", "handler", "audit")).isZero();
			assertThat(gauge("handler.standby", "handler", "audit")).isZero();
			assertThat(gauge("required")).isEqualTo(1);
			assertThat(
					this.meters.get("kubernetes.informer.handler.active.longest").timeGauge().value(TimeUnit.SECONDS))
				.isEqualTo(90);
			assertThat(counter("handler.retries", "handler", "audit")).isZero();
			listener.onEvent(new InformerEvent.HandlerInvoked(informer, "audit", ADDED, Duration.ZERO, 1, null));
			listener.onEvent(new InformerEvent.EventDelivered(informer, "audit", ADDED, Duration.ZERO));
			assertThat(handlerMeters()).hasSize(11);
			handler.remove();
			listener.onEvent(new InformerEvent.HandlersChanged(informer));
			listener.onEvent(new InformerEvent.HandlerInvoked(informer, "audit", ADDED, Duration.ZERO, 2, null));
			listener.onEvent(new InformerEvent.EventDelivered(informer, "audit", ADDED, Duration.ZERO));
			assertThat(handlerMeters()).isEmpty();
			addHandler(context);
			assertThat(gauge("handler.pending", "handler", "audit")).isEqualTo(3);
		});
	}

	@Test
	void errorCounters_existForEachNamespaceFromTheStart() {
		this.contextRunner.withPropertyValues("informer.resources.deployments.namespaces=shop,billing")
			.withBean(MeterRegistry.class, () -> this.meters)
			.run((context) -> {
				addHandler(context);
				assertThat(
						counter("errors", "watched.namespace", "shop", "handler", "none", "kind", "undecodable_object"))
					.isZero();
				assertThat(counter("errors", "watched.namespace", "billing", "handler", "none", "kind",
						"undecodable_object"))
					.isZero();
			});
	}

	@ParameterizedTest
	@CsvSource({ "true,0", "false,1" })
	void absentResource_isIdleInItsNamespaceUnlessRequired(boolean required, double idle) {
		this.contextRunner
			.withPropertyValues("informer.resources.deployments.namespaces=ns0,ns1",
					"informer.resources.deployments.required=" + required)
			.withBean(MeterRegistry.class, () -> this.meters)
			.run((context) -> {
				addHandler(context);
				TestInformer<?> informer = context.getBean("deploymentsInformer", TestInformer.class);
				informer.withStates(state(Phase.DORMANT), state(Phase.BACKING_OFF));
				assertThat(gauge("idle", "watched.namespace", "ns0")).isEqualTo(idle);
				assertThat(gauge("idle", "watched.namespace", "ns1")).isZero();
			});
	}

	private static InformerState state(Phase phase) {
		return new InformerState(phase, TimeSource.SYSTEM.moment(), null, null, null);
	}

	@Test
	void informerThatIsStopped_isIdle() {
		this.contextRunner.withBean(MeterRegistry.class, () -> this.meters).run((context) -> {
			addHandler(context);
			assertThat(gauge("idle", "watched.namespace", "*")).isZero();
			context.getBean(InformerRegistry.class).stop();
			assertThat(gauge("idle", "watched.namespace", "*")).isEqualTo(1);
		});
	}

	@Test
	void metersOfInformers_areAddedAndRemoved() {
		this.contextRunner.withPropertyValues("informer.resources.deployments.required=true")
			.withBean(MeterRegistry.class, () -> this.meters)
			.run((context) -> {
				InformerListener listener = this.factory.listener();
				SharedIndexInformer<?> later = this.factory.informer(V1Deployment.class,
						(options) -> options.name("later"));
				listener.onEvent(new InformerEvent.StateChanged(later, "", later.state()));
				listener.onEvent(new InformerEvent.Listed(later, "", ListMode.PAGES, Duration.ZERO, true));
				assertThat(this.meters.find("kubernetes.informer.synced").tag("informer", "later").meters()).hasSize(1);
				this.factory.remove(later);
				listener.onEvent(new InformerEvent.Removed(later));
				listener.onEvent(new InformerEvent.WatchEnded(later, "", WatchEnd.STOPPED));
				assertThat(this.meters.getMeters())
					.noneMatch((meter) -> "later".equals(meter.getId().getTag("informer")));
			});
	}

	@Test
	void informerRemovedBeforeStart_leavesNoMeters() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(InformerAutoConfiguration.class,
					KubernetesConnectionAutoConfiguration.class, InformerMetricsAutoConfiguration.class))
			.withPropertyValues("informer.auto-startup=false")
			.withBean(MeterRegistry.class, () -> this.meters)
			.run((context) -> {
				InformerFactory informers = context.getBean(InformerFactory.class);
				SharedIndexInformer<DynamicKubernetesObject> tenants = informers
					.informer(ResourceType.named(DynamicKubernetesObject.class, "tenants.example.com"), (options) -> {
					});
				tenants.addHandler((event) -> {
				}, (options) -> options.name("audit"));
				assertThat(this.meters.get("kubernetes.informer.handler.pending")
					.tags("informer", "tenants", "resource", "tenants", "group", "example.com", "version", "preferred",
							"handler", "audit")
					.gauge()
					.value()).isZero();
				informers.remove(tenants);
				assertThat(this.meters.getMeters()).extracting((meter) -> meter.getId().getTag("informer"))
					.containsOnlyNulls();
			});
	}

	@Test
	void withoutMeterRegistry_thereAreNoMetrics() {
		this.contextRunner.run((context) -> assertThat(context).doesNotHaveBean(InformerMetrics.class));
	}

	@Test
	void withoutMicrometerOnTheClassPath_everythingElseWorks() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("io.micrometer")).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBean(InformerRegistry.class).isRunning()).isTrue();
		});
	}

	private SharedIndexInformer<V1Deployment> addHandler(ApplicationContext context) {
		SharedIndexInformer<V1Deployment> informer = context.getBean(InformerRegistry.class)
			.informer("deployments", V1Deployment.class);
		informer.addHandler((event) -> {
		}, (options) -> options.name("audit"));
		this.factory.listener().onEvent(new InformerEvent.HandlersChanged(informer));
		return informer;
	}

	private List<Meter> handlerMeters() {
		return this.meters.getMeters()
			.stream()
			.filter((meter) -> "audit".equals(meter.getId().getTag("handler")))
			.toList();
	}

	private long timers(String name, String... tags) {
		return this.meters.get("kubernetes.informer." + name).tags(TAGS).tags(tags).timer().count();
	}

	private double counter(String name, String... tags) {
		return this.meters.get("kubernetes.informer." + name).tags(TAGS).tags(tags).counter().count();
	}

	private double gauge(String name, String... tags) {
		return this.meters.get("kubernetes.informer." + name).tags(TAGS).tags(tags).gauge().value();
	}

}
