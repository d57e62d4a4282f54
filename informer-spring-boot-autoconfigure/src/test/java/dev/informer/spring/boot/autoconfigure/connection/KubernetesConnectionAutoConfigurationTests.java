/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.connection;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;

import dev.informer.InformerFactory;
import dev.informer.spring.InvalidInformerPropertyException;
import dev.informer.spring.KubernetesConnectionDetails;
import dev.informer.spring.boot.autoconfigure.InformerAutoConfiguration;
import dev.informer.spring.config.InformerProperties;
import dev.informer.spring.config.InformerProperties.Connection;
import dev.informer.spring.support.TestInformerFactory;
import dev.informer.test.support.TestAuthority;
import dev.informer.test.support.TlsServer;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;

import static dev.informer.test.support.Await.awaitExternal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link KubernetesConnectionAutoConfiguration}.
 */
@ExtendWith(OutputCaptureExtension.class)
class KubernetesConnectionAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(InformerAutoConfiguration.class, KubernetesConnectionAutoConfiguration.class))
		.withBean(InformerFactory.class, TestInformerFactory::new);

	@Test
	void url_isUsedWithRelatedProperties(@TempDir Path folder) throws Exception {
		Path certificate = Files.writeString(folder.resolve("ca.crt"), "-----BEGIN CERTIFICATE-----");
		this.contextRunner
			.withPropertyValues("informer.connection.url=https://10.0.0.1:6443", "informer.connection.token=secret",
					"informer.connection.verify-tls=false", "informer.connection.namespace=mine",
					"informer.connection.ca-certificate=" + certificate)
			.run((context) -> {
				KubernetesConnectionDetails details = details(context);
				assertThat(details.getUrl()).isEqualTo("https://10.0.0.1:6443");
				assertThat(details.getToken()).isEqualTo("secret");
				assertThat(details.getTokenFile()).isNull();
				assertThat(details.getNamespace()).isEqualTo("mine");
				assertThat(details.getCaCertificate()).isEqualTo("-----BEGIN CERTIFICATE-----");
				assertThat(details.isVerifyTls()).isFalse();
			});
	}

	@Test
	void client_isCreatedFromUrlOnDemand() {
		this.contextRunner
			.withPropertyValues("informer.connection.url=https://10.0.0.1:6443", "informer.connection.verify-tls=false")
			.run((context) -> {
				assertThat(context.getBeanFactory().containsSingleton("kubernetesApiClient")).isFalse();
				ApiClient client = context.getBean(ApiClient.class);
				assertThat(client.getBasePath()).isEqualTo("https://10.0.0.1:6443");
				assertThat(client.isVerifyingSsl()).isFalse();
			});
	}

	@Test
	void userAgent_namesTheApplication() {
		this.contextRunner
			.withPropertyValues("informer.connection.url=https://10.0.0.1:6443", "spring.application.name=my shop")
			.run((context) -> assertThat(context.getBean(ApiClient.class)
				.buildCall(null, "/", "GET", List.of(), List.of(), null, new HashMap<>(), new HashMap<>(),
						new HashMap<>(), new String[0], null)
				.request()
				.header("User-Agent")).startsWith("my-shop informer/"));
	}

	@Test
	void proxy_isUsed() {
		this.contextRunner
			.withPropertyValues("informer.connection.url=https://10.0.0.1:6443",
					"informer.connection.proxy=http://me:secret@proxy.example.com:3128")
			.run((context) -> assertThat(String.valueOf(context.getBean(ApiClient.class).getHttpClient().proxy()))
				.isEqualTo("HTTP @ proxy.example.com/<unresolved>:3128"));
	}

	@Test
	void bundle_isUsedAndReloaded(CapturedOutput output) {
		DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("mine", SslBundle.systemDefault());
		this.contextRunner.withBean(SslBundles.class, () -> bundles)
			.withPropertyValues("informer.connection.url=https://10.0.0.1:6443", "informer.connection.ssl.bundle=mine")
			.run((context) -> {
				KubernetesConnectionDetails details = details(context);
				assertThat(context.getBean(ApiClient.class)).isNotNull();
				assertThat(details.getSslBundle()).isSameAs(bundles.getBundle("mine"));
				SslBundle updated = SslBundle.of(SslStoreBundle.NONE);
				bundles.updateBundle("mine", updated);
				assertThat(details.getSslBundle()).isSameAs(updated);
				assertThat(output).doesNotContain("doesn't support SSL reloading");
			});
	}

	@Test
	void fileOfBundle_isReloadedWithoutARestart(@TempDir Path folder) throws Exception {
		TestAuthority first = new TestAuthority("first");
		TestAuthority second = new TestAuthority("second");
		Path ca = Files.writeString(folder.resolve("ca.crt"), first.pem());
		try (TlsServer server = new TlsServer(first.issue("server"), null)) {
			this.contextRunner.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
				.withPropertyValues("informer.connection.url=" + server.url(), "informer.connection.ssl.bundle=api",
						"spring.ssl.bundle.pem.api.truststore.certificate=" + ca,
						"spring.ssl.bundle.pem.api.reload-on-update=true",
						"spring.ssl.bundle.watch.file.quiet-period=100ms")
				.run((context) -> {
					CoreV1Api core = new CoreV1Api(context.getBean(ApiClient.class));
					assertThat(core.listNamespace().execute().getItems()).isEmpty();
					server.move(second.issue("server"), null);
					assertThatExceptionOfType(ApiException.class).isThrownBy(() -> core.listNamespace().execute());
					Files.writeString(ca, second.pem());
					awaitExternal()
						.untilAsserted(() -> assertThat(core.listNamespace().execute().getItems()).isEmpty());
				});
		}
	}

	@Test
	void connectionDetailsBean_takesPrecedence() {
		this.contextRunner.withBean("mine", KubernetesConnectionDetails.class, () -> () -> "http://mine:1")
			.withPropertyValues("informer.connection.url=https://10.0.0.1:6443")
			.run((context) -> {
				assertThat(context).hasSingleBean(KubernetesConnectionDetails.class);
				assertThat(context.getBean(ApiClient.class).getBasePath()).isEqualTo("http://mine:1");
			});
	}

	@ParameterizedTest
	@CsvSource({ "token=secret,token", "token-file=missing,token-file", "ca-certificate=ca.crt,ca-certificate",
			"verify-tls=false,verify-tls", "url=10.0.0.1:6443,url", "url=ftp://one,url",
			"url=https://me:secret@one,url", "url=https://secret@one:1,url", "ssl.bundle=mine,ssl.bundle",
			"proxy=socks5://me:secret@one:1,proxy", "proxy=http://me:sec@secret@one:1,proxy", "proxy=https://one,proxy",
			"proxy=one,proxy" })
	void invalidProperty_failsStartup(String property, String key) {
		this.contextRunner.withPropertyValues("informer.connection." + property)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidInformerPropertyException.class, (ex) -> {
					assertThat(ex.key()).isEqualTo("informer.connection." + key);
					assertThat(ex).hasMessageNotContaining("secret");
				}));
	}

	@ParameterizedTest
	@CsvSource({ "token=secret,token-file=one,token", "kubeconfig=one,token=secret,kubeconfig",
			"context=one,token=secret,context", "token-file=missing,namespace=one,token-file",
			"ssl.bundle=missing,namespace=one,ssl.bundle", "ssl.bundle=missing,ca-certificate=one,ssl.bundle" })
	void exclusiveProperties_failStartup(String one, String other, String key) {
		this.contextRunner
			.withPropertyValues("informer.connection.url=http://one:1", "informer.connection." + one,
					"informer.connection." + other)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidInformerPropertyException.class,
						(ex) -> assertThat(ex.key()).isEqualTo("informer.connection." + key)));
	}

	@Test
	void unreadableCertificate_failsClient() {
		this.contextRunner
			.withPropertyValues("informer.connection.url=https://one:1", "informer.connection.ca-certificate=missing")
			.run((context) -> assertThat(details(context))
				.satisfies((details) -> assertThatExceptionOfType(InvalidInformerPropertyException.class)
					.isThrownBy(details::getCaCertificate)
					.withMessageContaining("'missing' cannot be read")));
	}

	private static KubernetesConnectionDetails details(ApplicationContext context) {
		Connection connection = context.getBean(InformerProperties.class).connection();
		return new PropertiesKubernetesConnectionDetails(connection, String.valueOf(connection.url()),
				context.getBeanProvider(SslBundles.class).getIfAvailable(DefaultSslBundleRegistry::new));
	}

}
