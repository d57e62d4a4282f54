/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.test.testcontainers;

import dev.informer.spring.KubernetesConnectionDetails;
import org.jspecify.annotations.Nullable;
import org.testcontainers.k3s.K3sContainer;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;
import org.springframework.util.function.SingletonSupplier;

/**
 * {@link ContainerConnectionDetailsFactory} for a {@link K3sContainer} with
 * {@code @ServiceConnection}.
 */
class K3sContainerConnectionDetailsFactory
		extends ContainerConnectionDetailsFactory<K3sContainer, KubernetesConnectionDetails> {

	@Override
	protected KubernetesConnectionDetails getContainerConnectionDetails(
			ContainerConnectionSource<K3sContainer> source) {
		return new K3sContainerConnectionDetails(source);
	}

	/**
	 * {@link KubernetesConnectionDetails} backed by the kubeconfig of the running
	 * container.
	 */
	private static final class K3sContainerConnectionDetails extends ContainerConnectionDetails<K3sContainer>
			implements KubernetesConnectionDetails {

		private final SingletonSupplier<KubernetesConnectionDetails> kubeconfig = SingletonSupplier
			.of(() -> KubernetesConnectionDetails.ofKubeconfig(getContainer().getKubeConfigYaml()));

		private K3sContainerConnectionDetails(ContainerConnectionSource<K3sContainer> source) {
			super(source);
		}

		@Override
		public String getUrl() {
			return this.kubeconfig.obtain().getUrl();
		}

		@Override
		public @Nullable String getCaCertificate() {
			return this.kubeconfig.obtain().getCaCertificate();
		}

		@Override
		public @Nullable String getClientCertificate() {
			return this.kubeconfig.obtain().getClientCertificate();
		}

		@Override
		public @Nullable String getClientKey() {
			return this.kubeconfig.obtain().getClientKey();
		}

		@Override
		public @Nullable SslBundle getSslBundle() {
			return super.getSslBundle();
		}

		@Override
		public @Nullable String getToken() {
			return this.kubeconfig.obtain().getToken();
		}

		@Override
		public @Nullable String getNamespace() {
			return this.kubeconfig.obtain().getNamespace();
		}

		@Override
		public boolean isVerifyTls() {
			return this.kubeconfig.obtain().isVerifyTls();
		}

	}

}
